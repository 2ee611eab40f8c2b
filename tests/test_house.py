"""The house stands: layers, purity, what is shipped, and that every check can fail."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = {"kernel": "seamlaw", "spec": "seamlaw_spec", "packs": "seamlaw_packs", "host": "seamlaw_host"}
PACKAGES = [f"{root}/{package}" for root, package in SOURCES.items()]


def run(*command: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a command that sees the packages under `cwd`, and take what it prints."""
    path = os.pathsep.join(str(cwd / root) for root in SOURCES)
    environment = {**os.environ, "PYTHONPATH": path, "NO_COLOR": "1"}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def script(name: str) -> str:
    """Find a command of the environment that runs the tests."""
    return str(Path(sys.executable).with_name(name))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy what is built and checked, so that a test may spoil it."""
    no_bytecode = shutil.ignore_patterns("__pycache__")
    for folder in [*PACKAGES, "tools"]:
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=no_bytecode)
    for file in ["pyproject.toml", "LICENSE", ".gitignore"]:
        shutil.copy(ROOT / file, tmp_path / file)
    (tmp_path / "README.md").write_text("# Seamlaw\n", "utf-8")
    return tmp_path


def plant(module: Path, code: str) -> None:
    """Add a line to a module."""
    with module.open("a", encoding="utf-8") as file:
        file.write(f"\n{code}\n")


# Layers


def test_the_layers_hold(copy: Path) -> None:
    """The packages as they are import downwards only."""
    result = run(script("lint-imports"), "--no-cache", cwd=copy)
    assert (result.returncode, "1 kept, 0 broken" in result.stdout) == (0, True), result.stdout


@pytest.mark.parametrize(
    ("lower", "upper"),
    [
        ("kernel/seamlaw", "seamlaw_spec"),
        ("kernel/seamlaw", "seamlaw_packs"),
        ("kernel/seamlaw", "seamlaw_host"),
        ("spec/seamlaw_spec", "seamlaw_host"),
        ("packs/seamlaw_packs", "seamlaw_host"),
        ("packs/seamlaw_packs", "seamlaw_spec"),
        ("spec/seamlaw_spec", "seamlaw_packs"),
    ],
)
def test_an_import_upwards_or_sideways_is_refused(copy: Path, lower: str, upper: str) -> None:
    """One such import, even inside a function, breaks the contract."""
    plant(copy / lower / "__init__.py", f"def planted() -> None:\n    import {upper}")
    result = run(script("lint-imports"), "--no-cache", cwd=copy)
    assert (result.returncode, "1 broken" in result.stdout) == (1, True), result.stdout


# Purity

WORLDLY = "os io time random threading logging socket subprocess asyncio pathlib rich msgspec".split()


def check_kernel(root: Path) -> subprocess.CompletedProcess[str]:
    """Run the purity check on a tree."""
    return run(sys.executable, "tools/check_kernel.py", cwd=root)


def test_the_kernel_only_computes(copy: Path) -> None:
    """The kernel as it is imports nothing that reaches out."""
    result = check_kernel(copy)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        *((f"import {name}", f"imports {name}") for name in WORLDLY),
        ("from os.path import join", "imports os.path"),
        ("def late() -> None:\n    import datetime", "imports datetime"),
        ("def late() -> None:\n    open('x')", "uses open()"),
        ("reach = __import__", "uses __import__()"),
        ("def count() -> None:\n    global counter\n    counter = 1", "has the global variable counter"),
    ],
)
def test_a_kernel_that_reaches_out_is_refused(copy: Path, code: str, complaint: str) -> None:
    """Whatever knows time, files, threads, chance or the network is named with its place."""
    module = copy / "kernel/seamlaw/__init__.py"
    plant(module, code)
    result = check_kernel(copy)
    assert result.returncode == 1
    assert re.search(rf"^seamlaw/__init__\.py:\d+: {re.escape(complaint)}$", result.stderr, re.MULTILINE)


def test_importing_the_kernel_brings_attrs_and_nothing_else_from_outside() -> None:
    """No third-party module but attrs is loaded by `import seamlaw`."""
    code = "import sys; before = set(sys.modules); import seamlaw; print(*sorted(set(sys.modules) - before))"
    loaded = {name.partition(".")[0] for name in run(sys.executable, "-c", code).stdout.split()}
    assert loaded - sys.stdlib_module_names - {"attr", "attrs"} == {"seamlaw"}


def test_what_decides_is_under_a_thousand_lines() -> None:
    """The core can be read in an hour: under a thousand lines of code, docstrings and comments not counted."""
    told = run(sys.executable, "tools/check_kernel.py").stdout
    counted = re.search(r"lines of code: seamlaw (\d+)", told)
    assert counted
    assert int(counted[1]) < 1000


# What is shipped


def build(root: Path, target: str) -> Path:
    """Build a distribution and give its path."""
    result = run(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", "made", cwd=root)
    assert result.returncode == 0, result.stderr
    (made,) = (root / "made").iterdir()
    return made


def test_the_wheel_holds_the_four_packages_typed_and_nothing_else(copy: Path) -> None:
    """Each package comes with py.typed; no tests, tools or caches come along."""
    with zipfile.ZipFile(build(copy, "wheel")) as wheel:
        names = wheel.namelist()
    shipped = {name for name in names if ".dist-info/" not in name}
    assert {name.partition("/")[0] for name in shipped} == set(SOURCES.values())
    assert {f"{package}/py.typed" for package in SOURCES.values()} <= shipped
    assert {Path(name).suffix for name in shipped} <= {".py", ".typed", ".json", ".toml"}


def test_what_tools_leave_behind_is_not_in_the_sdist(copy: Path) -> None:
    """Examples of Hypothesis, environments and caches stay at home."""
    for folder in [".hypothesis", ".venv", ".venv-3.12", ".mypy_cache", "kernel/seamlaw/__pycache__"]:
        (copy / folder).mkdir()
        (copy / folder / "left.pyc").write_text("left", "utf-8")
    with tarfile.open(build(copy, "sdist")) as sdist:
        names = sdist.getnames()
    assert [name for name in names if name.endswith("left.pyc")] == []
    assert any(name.endswith("kernel/seamlaw/__init__.py") for name in names)


# What is written


def written() -> Iterator[Path]:
    """Give every file that is, or could be, committed."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if listed.returncode:
        pytest.skip("this is no git checkout")
    return (path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file())


def test_no_file_names_a_registry_or_a_folder_of_the_machine_it_was_written_on() -> None:
    """What is committed is true on every machine."""
    ours_alone = re.compile(
        rb"(?<![\w.~-])/(work|root)/"
        rb"|pypi\.org|pythonhosted\.org|registry\.npmjs\.org|deb\.debian\.org|index-url *="
    )
    named = [
        f"{path.relative_to(ROOT)}: {found[0].decode()}"
        for path in written()
        if (found := ours_alone.search(path.read_bytes()))
    ]
    assert named == []


def test_constraints_pin_plain_versions() -> None:
    """Each line is one exact version, for some machines perhaps: no address, no hash, no option."""
    pin = re.compile(r"[a-z0-9-]+==[\w.]+( ; [\w .'=!<>]+)?")
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    assert [line for line in lines if not line.startswith("#") and not pin.fullmatch(line)] == []


# The check of the docs


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[a](nowhere.md)", "the link to nowhere.md leads nowhere"),
        ("[a](README.md#no-such-heading)", "names no heading there"),
        ("# A\n\n## B\n\n### C\n\n## b", "two headings have the anchor #b"),
        ("```toml\na = \n```", "the toml at line 1 does not parse"),
        ("```json\n{]\n```", "the json at line 1 does not parse"),
        ("```python\ndef\n```", "the python at line 1 does not parse"),
        ("<!-- made by: nobody -->\n<!-- end -->", "nothing makes the part 'nobody'"),
    ],
)
def test_a_page_that_is_wrong_is_refused(copy: Path, text: str, complaint: str) -> None:
    """A dead link, data that does not parse and a part that nothing makes are each named with their page."""
    (copy / "page.md").write_text(f"{text}\n", "utf-8")
    result = run(sys.executable, "tools/check_docs.py", cwd=copy)
    assert result.returncode == 1
    assert "page.md: " in result.stderr
    assert complaint in result.stderr


def test_a_generated_part_is_compared_and_written(copy: Path) -> None:
    """A part that differs from what the code says is refused, and `--write` puts it right."""
    (copy / "spec/seamlaw_spec/docs.py").write_text('GENERATORS = {"table": lambda: "| new |"}\n', "utf-8")
    page = copy / "page.md"
    page.write_text("# Page\n\n<!-- made by: table -->\n| old |\n<!-- end -->\n\nText\n", "utf-8")
    stale = run(sys.executable, "tools/check_docs.py", cwd=copy)
    assert (stale.returncode, "page.md: a generated part is out of date" in stale.stderr) == (1, True)
    run(sys.executable, "tools/check_docs.py", "--write", cwd=copy)
    assert page.read_text("utf-8") == "# Page\n\n<!-- made by: table -->\n| new |\n<!-- end -->\n\nText\n"

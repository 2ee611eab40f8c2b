"""The functions that do more than compute: which act, read files, wait or run a text as SQL."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from seamlaw import Globs

from ._bounds import kind
from ._readings import Statement

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

__all__ = ["ACTING", "WRITING", "calls", "denied", "denied_as_column"]

_POSTGRES = """
    pg_sleep* pg_read_* pg_ls_* pg_stat_file pg_file_* pg_logdir_ls lo_* lowrite loread dblink* pg_terminate_backend
    pg_cancel_backend pg_reload_conf pg_rotate_logfile* pg_switch_* pg_create_* pg_drop_* pg_copy_* pg_promote
    pg_start_backup pg_stop_backup pg_backup_* pg_wal_replay_* pg_logical_* pg_replication_* pg_sync_*
    pg_advisory_* pg_try_advisory_* pg_notify pg_stat_*reset* pg_import_system_collations pg_export_snapshot
    pg_extension_config_dump pg_log_* pg_prewarm pg_restore_* pg_clear_* brin_summarize_* brin_desummarize_*
    gin_clean_pending_list set_config query_to_xml* table_to_xml* schema_to_xml* database_to_xml* cursor_to_xml*
    ts_stat ts_rewrite crosstab* connectby xpath_table http http_* net.http_* aws_s3.* aws_lambda.* cron.*
    postgres_fdw_* heap_force_* get_raw_page* pg_nextoid binary_upgrade_* pg_truncate_* pg_buffercache_evict*
    pg_background_* xslt_process drop_chunks run_command_on_*
"""
_MYSQL = """
    load_file sleep benchmark get_lock release_lock release_all_locks sys_exec sys_eval sys_get sys_set sys_bineval
    lib_mysqludf* master_pos_wait source_pos_wait wait_* group_replication_* asynchronous_connection_* keyring_*
    audit_log_* mysql_firewall_* service_get_* service_release_* version_tokens_* http_*
    master_gtid_wait spider_*
"""
_DUCKDB = """
    read_* parquet_* glob sniff_csv query query_table getenv sqlite_* postgres_* mysql_* iceberg_* delta_* st_read*
    st_drivers http_* duckdb_secrets which_secret checkpoint force_checkpoint shellfs_* scan_arrow_ipc arrow_scan*
    pragma_* set_config write_* load_* ducklake_* sleep* enable_* disable_* import_* json_execute_serialized_sql
    from_substrait* get_substrait* start_ui* stop_ui* truncate_* copy_database create_* destroy_* register_*
    deregister_* add_* remove_* verify_* python_* *_query *_execute *_scan *_attach *_scan_dumb httpserve_* dbgen dsdgen
"""
_ORACLE = """
    utl_* utl_*.* dbms_scheduler.* dbms_sql.* dbms_xmlquery.* dbms_xmlgen.* dbms_xmlstore.* dbms_lock.* dbms_session.*
    dbms_pipe.* dbms_java*.* dbms_job.* dbms_ldap*.* dbms_advisor.* dbms_cloud*.* dbms_sys_sql.* dbms_export_*.*
    dbms_backup_restore.* dbms_file_*.* dbms_network_*.* dbms_redefinition.* dbms_aq*.* dbms_alert.* dbms_rls.*
    dbms_repair.* dbms_stats.* dbms_shared_pool.* dbms_system.* dbms_hs_*.* dbms_datapump.* dbms_parallel_*.*
    dbms_cdc_*.* dbms_metadata.* dbms_debug*.* dbms_lob.load* dbms_lob.write* dbms_lob.erase dbms_lob.trim
    dbms_lob.fileopen dbms_lob.append dbms_lob.copy dbms_utility.exec_* dbms_utility.compile_* dbms_snapshot.*
    httpuritype ftpuritype dburitype xdburitype urifactory.* bfilename xmltype ctxsys.* ordsys.* sys.kupp*
    owa_*.* apex_*.* wwv_flow*.* initjvmaux.* xmltype.* sys_dburigen dbms_xslprocessor.* dbms_xmldom.* dbms_xdb*.*
    dbms_workload*.* dbms_sqltune.* dbms_spm.* dbms_qopatch.* dbms_hadoop*.* dbms_credential.* dbms_streams*.*
    dbms_goldengate*.* dbms_transaction.* dbms_ijob.* dbms_cube*.* dbms_tns.* dbms_vector*.*
"""
_CLICKHOUSE = """
    file filecluster url urlcluster s3 s3cluster gcs gcscluster hdfs hdfscluster remote remotesecure mysql postgresql
    mongodb redis sqlite jdbc odbc executable input azureblobstorage* deltalake* iceberg* hudi* paimon* cluster
    clusterallreplicas sleep* ytsaurus arrowflight* filesystem* showcertificate addresstoline* addresstosymbol
    joinget*
"""
_SNOWFLAKE = """
    system$* get_presigned_url build_scoped_file_url build_stage_file_url ai_* snowflake.* infer_schema directory
    cortex.* finetune
"""
_SPARK = """
    reflect java_method try_reflect reflect2 in_file read_files read_kafka read_kinesis read_pubsub read_pulsar
    ai_* http_request remote_query cloud_files list_secrets secret try_secret
"""
_TSQL = """
    xp_* sp_* openrowset openquery openxml opendatasource fn_xe_file_target_read_file fn_get_audit_file
    fn_trace_gettable fn_dump_dblog fn_full_dblog dm_os_file_exists dm_os_enumerate_filesystem
    dm_os_get_parent_path loginproperty
"""
_SQLITE = "load_extension readfile writefile edit fts3_tokenizer fsdir lsdir zipfile eval"
_TRINO = "*.query system.* query raw_query"
_BIGQUERY = (
    "external_query ai.* ml.generate_* ml.process_* ml.annotate_* ml.translate ml.transcribe ml.understand_text obj.*"
)

ACTING: Mapping[str, tuple[str, ...]] = {
    "postgres": tuple(_POSTGRES.split()),
    "mysql": tuple(_MYSQL.split()),
    "sqlite": tuple(_SQLITE.split()),
    "duckdb": tuple(_DUCKDB.split()),
    "tsql": tuple(_TSQL.split()),
    "oracle": tuple(_ORACLE.split()),
    "snowflake": tuple(_SNOWFLAKE.split()),
    "bigquery": tuple(_BIGQUERY.split()),
    "spark": tuple(_SPARK.split()),
    "trino": tuple(_TRINO.split()),
    "clickhouse": tuple(_CLICKHOUSE.split()),
    "teradata": ("*.execr", "read_nos", "write_nos", "script"),
    "exasol": ("sleep",),
}
VALUES = frozenset("current_schema current_user session_user system_user user current_role current_catalog".split())
"""Names that are functions, without parentheses, also where a table may stand."""
WRITING = Globs(("nextval", "setval"))
"""Those that change no row, and yet a sequence."""


def calls(statement: Statement) -> Iterator[tuple[str, bool]]:
    """Give each dotted name of a statement in small letters, the last part first, and whether it is called.

    Of `a.b.c(…)` it gives `c`, `b.c` and `a.b.c`. A name behind `(…).` calls, too: Postgres takes `(x).f` for `f(x)`.
    """
    at = 0
    while at < len(statement):
        parts, at = _dotted(statement, at)
        if not parts:
            at += 1
            continue
        begun = at - 2 * len(parts) + 1
        of_value = begun > 1 and statement[begun - 1].is_sign(".") and statement[begun - 2].is_sign(")")
        called = of_value or (at < len(statement) and statement[at].is_sign("("))
        name = ""
        for part in parts[::-1]:
            name = f"{part}.{name}" if name else part
            yield name, called


def _dotted(statement: Statement, at: int) -> tuple[list[str], int]:
    parts = list[str]()
    while at < len(statement) and statement[at].kind in ("word", "name"):
        parts.append(statement[at].text.lower())
        at += 1
        if at + 1 >= len(statement) or not statement[at].is_sign(".") or statement[at + 1].kind not in ("word", "name"):
            break
        at += 1
    return parts, at


def denied(statement: Statement, patterns: Globs, *, packages: bool) -> bool:
    """Whether a function is called that is denied; one of a package (`packages`) needs no parentheses for that."""
    if not patterns.patterns:
        return False
    names = {name for name, called in calls(statement) if called or (packages and "." in name)}
    return any(map(patterns.admit, names))


def denied_as_column(tree: "Expr", patterns: Globs) -> bool:
    """Whether a function that is denied is called as if it were a column.

    Postgres takes `x.f` for `f(x)` where `x` is what a function in FROM gives, or any value: a parameter, `a[1]`.
    """
    tables, values = set[str](), set[str]()
    for node in tree.walk():
        is_table, name = _source(node)
        (tables if is_table else values).add(name)
    tables -= values
    return any(name and patterns.admit(name) for name in (_as_column(node, tables) for node in tree.walk()))


def _source(node: Any) -> tuple[bool, str]:
    """Whether a node gives rows of several columns, and what these are called."""
    name = kind(node)
    if name == "Table":
        this = node.args.get("this")
        word = kind(this) == "Identifier" and (this.args.get("quoted") or this.name.lower() not in VALUES)
        return bool(word), str(node.alias_or_name).lower()
    if name == "Lateral":
        return kind(node.this) == "Subquery", str(node.alias).lower()
    if name in ("Subquery", "Values"):
        return True, str(node.alias).lower()
    return False, str(node.alias).lower() if name == "Unnest" else ""


def _as_column(node: Any, tables: set[str]) -> str:
    """The name of a column that may be a function, in small letters."""
    if kind(node) == "Dot":
        return str(node.expression.name).lower() if kind(node.expression) == "Identifier" else ""
    is_column = kind(node) == "Column" and node.args.get("table") is not None
    return str(node.name).lower() if is_column and node.table.lower() not in tables else ""

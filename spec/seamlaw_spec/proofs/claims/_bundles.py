"""Claims about merging, and about who comes before whom."""

from seamlaw_spec.proofs._claims import Claim

__all__ = ["BUNDLES"]

BUNDLES = (
    Claim(
        "appending_is_associative",
        "a:List b:List c:List",
        "(= (append (append a b) c) (append a (append b c)))",
        by="a",
        on="(append (append a b) c)",
    ),
    Claim("nil_is_neutral", "a:List", "(= (append a nil) a)", by="a", on="(append a nil)"),
    Claim(
        "appended_to_something_is_something",
        "a:List b:List",
        "(=> (not (= a nil)) (not (= (append a b) nil)))",
        by="a",
        on="(append a b)",
    ),
    Claim(
        "what_contributes_nothing_can_be_left_out",
        "g:Given f:Field",
        "(= (all_in_field (contributing g) f) (all_in_field g f))",
        by="g",
        on="(contributing g) (all_in_field g f)",
    ),
    Claim(
        "what_is_kept_contributes",
        "g:Given",
        "(=> (not (= (contributing g) no_more)) (contributes (one (contributing g))))",
        by="g",
        on="(contributing g)",
    ),
    Claim(
        "merging_joins_field_by_field",
        "g:Given f:Field",
        "(= (in_field (merge g) f) (all_in_field g f))",
        on="(in_field (merge g) f)",
        uses="what_contributes_nothing_can_be_left_out nil_is_neutral",
    ),
    Claim(
        "merging_joins_both",
        "x:Merged y:Merged f:Field",
        "(= (in_field (merge (both x y)) f) (append (in_field x f) (in_field y f)))",
        on="(in_field (merge (both x y)) f)",
        uses="merging_joins_field_by_field nil_is_neutral",
    ),
    Claim(
        "merging_is_associative",
        "x:Merged y:Merged z:Merged f:Field",
        "(let ((all (all_in_field (given x (given y (given z no_more))) f)))"
        " (and (= all (in_field (merge (both (merge (both x y)) z)) f) )"
        " (= all (in_field (merge (both x (merge (both y z)))) f))"
        " (= all (in_field (merge (given x (given y (given z no_more)))) f))))",
        uses="merging_joins_both merging_joins_field_by_field nil_is_neutral appending_is_associative",
    ),
    Claim(
        "merging_is_none_iff_nothing_contributes",
        "g:Given",
        "(= (= (merge g) nothing) (= (contributing g) no_more))",
        on="(merge g)",
        uses="what_is_kept_contributes",
    ),
    Claim(
        "what_joins_one_that_contributes_is_not_empty",
        "m:Merged r:Given",
        "(let ((b (joined (given m r)))) (=> (contributes m)"
        " (and (not (= (at b (some_field (bundle m))) nil)) (not (empty b)))))",
        on="(joined (given m r))",
        uses="appended_to_something_is_something",
    ),
    Claim(
        "what_was_merged_contributes",
        "g:Given",
        "(=> (not (= (merge g) nothing)) (contributes (merge g)))",
        on="(merge g)",
        uses="what_is_kept_contributes what_joins_one_that_contributes_is_not_empty",
    ),
    Claim(
        "merging_is_none_however_it_is_grouped",
        "x:Merged y:Merged z:Merged",
        "(let ((none (= (merge (given x (given y (given z no_more)))) nothing)))"
        " (and (= none (= (merge (both (merge (both x y)) z)) nothing))"
        " (= none (= (merge (both x (merge (both y z)))) nothing))))",
        uses="merging_is_none_iff_nothing_contributes what_was_merged_contributes",
    ),
    Claim(
        "the_empty_bundle_is_neutral",
        "x:Merged e:Merged",
        "(and (= (merge (both x e)) (merge (given x no_more))) (= (merge (both e x)) (merge (given x no_more)))"
        " (=> (contributes x) (= (merge (both x e)) x)))",
        given="(not (contributes e))",
    ),
    Claim(
        "whoever_is_in_one_is_in_both",
        "a:List b:List x:Who",
        "(= (member x (append a b)) (or (member x a) (member x b)))",
        by="a",
        on="(member x (append a b))",
    ),
    Claim(
        "order_within_the_first_is_kept",
        "a:List b:List x:Who y:Who",
        "(=> (precedes x y a) (precedes x y (append a b)))",
        by="a",
        on="(precedes x y (append a b))",
        uses="whoever_is_in_one_is_in_both",
    ),
    Claim(
        "order_within_the_second_is_kept",
        "a:List b:List x:Who y:Who",
        "(=> (precedes x y b) (precedes x y (append a b)))",
        by="a",
        on="(precedes x y (append a b))",
        uses="whoever_is_in_one_is_in_both",
    ),
    Claim(
        "the_first_precede_the_second",
        "a:List b:List x:Who y:Who",
        "(=> (and (member x a) (member y b)) (precedes x y (append a b)))",
        by="a",
        on="(precedes x y (append a b))",
        uses="whoever_is_in_one_is_in_both",
    ),
    Claim(
        "merging_keeps_everybody_in_order",
        "p:Merged q:Merged f:Field x:Who y:Who",
        "(let ((all (in_field (merge (both p q)) f)))"
        " (and (= (member x all) (or (member x (in_field p f)) (member x (in_field q f))))"
        " (=> (precedes x y (in_field p f)) (precedes x y all)) (=> (precedes x y (in_field q f)) (precedes x y all))"
        " (=> (and (member x (in_field p f)) (member y (in_field q f))) (precedes x y all))))",
        uses="merging_joins_both whoever_is_in_one_is_in_both order_within_the_first_is_kept"
        " order_within_the_second_is_kept the_first_precede_the_second",
    ),
    Claim(
        "choosing_is_part_by_part",
        "a:List b:List g:Bool",
        "(= (chosen (append a b) g) (append (chosen a g) (chosen b g)))",
        by="a",
        on="(chosen (append a b) g)",
    ),
    Claim(
        "whoever_is_chosen_was_there",
        "a:List g:Bool x:Who",
        "(= (member x (chosen a g)) (and (member x a) (= (is_gate x) g)))",
        by="a",
        on="(member x (chosen a g))",
    ),
    Claim(
        "the_plugins_chain_precedes_the_hosts",
        "rules:List plugin:List host:List x:Who y:Who",
        "(precedes x y (ordered rules (append plugin host)))",
        given="(and (member x plugin) (member y host) (not (is_gate x)) (not (is_gate y)))",
        uses="choosing_is_part_by_part whoever_is_chosen_was_there the_first_precede_the_second"
        " order_within_the_first_is_kept order_within_the_second_is_kept",
    ),
    Claim(
        "gates_of_every_source_come_after_every_chain",
        "rules:List l:List x:Who y:Who",
        "(precedes x y (ordered rules l))",
        given="(and (or (member x rules) (member x l)) (not (is_gate x))"
        " (or (member y rules) (member y l)) (is_gate y))",
        uses="whoever_is_chosen_was_there the_first_precede_the_second whoever_is_in_one_is_in_both"
        " order_within_the_first_is_kept order_within_the_second_is_kept",
    ),
)

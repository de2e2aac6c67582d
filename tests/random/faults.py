"""Known faults, planted into legal programs: what is written, and the message that must come.

Each fault takes the generator at a place of a program and gives statements that need nothing but two components.
"""
from generate import Generator
from program import Node

FAULTS = {}


def fault(*expected):
    def register(function):
        FAULTS[function.__name__] = (function, expected)
        return function
    return register


def lines(text):
    return [Node(line.strip()) for line in text.strip().split("\n")]


@fault("refused_goto")
def jumps_with_goto(c, d):
    return f"""{{ int64_t x0 = {c}.next(); if (x0 > 3) goto past; {c}.take(x0); }}
               past: {d}.take(1);"""


@fault("annotation_nested")
def boundary_in_lambda(c, d):
    return f"""int64_t x0 = {c}.next();
               auto cross = [&] {{ fdg::partition(fdg::broadcast, x0); }};
               cross();
               {d}.take(x0);"""


@fault("annotation_not_statement")
def boundary_in_expression(c, d):
    return f"""int64_t x0 = {c}.next();
               {c}.coin() ? fdg::partition(fdg::broadcast, x0) : void();
               {d}.take(x0);"""


@fault("reference_across")
def reference_bound_before(c, d):
    return f"""int64_t x0 = {c}.next();
               const auto& r0 = x0;
               fdg::partition(fdg::broadcast, x0);
               {d}.take(r0);"""


@fault("writes_crossed")
def written_after_crossing(c, d):
    return f"""auto x0 = {c}.tensor();
               fdg::partition(fdg::gather, x0);
               {d}.take(x0);
               x0.add_(1);
               {c}.take(x0);"""


@fault("writes_crossed")
def alias_written_after_crossing(c, d):
    return f"""auto x0 = {c}.tensor();
               auto r0 = x0.view({{-1}});
               fdg::partition(fdg::gather, x0);
               {d}.take(x0);
               r0[0] = 9;
               {c}.take(r0);"""


@fault("writes_crossed")
def written_by_the_other_side(c, d):
    return f"""auto x0 = {c}.tensor();
               fdg::partition(fdg::gather, x0);
               x0.mul_(2);
               {d}.take(x0);"""


@fault("writes_crossed")
def written_in_the_next_round(c, d):
    return f"""auto x0 = {c}.tensor();
               for (int64_t j0 = 0; j0 < 3; ++j0) {{ raise(x0, 1); fdg::partition(fdg::gather, x0); {d}.take(x0); }}"""


@fault("moves_crossed")
def moved_after_crossing(c, d):
    return f"""auto x0 = {c}.tensors();
               fdg::partition(fdg::broadcast, x0);
               {d}.take(x0);
               auto y0 = std::move(x0);
               {c}.take(y0);
               {d}.take(x0);"""


@fault("separates_nothing", "two_components_joined")
def missing_annotation(c, d):
    return f"""int64_t x0 = {c}.next(), y0 = {c}.next();
               fdg::partition(fdg::broadcast, x0);
               {d}.take(x0);
               {d}.take(y0);"""


@fault("separates_nothing")
def way_around(c, d):
    return f"""int64_t x0 = {c}.next();
               if ({d}.coin()) {{ fdg::partition(fdg::broadcast, x0); }}
               {d}.take(x0);"""


@fault("separates_nothing", "two_components_joined")
def both_in_one_statement(c, d):
    return f"""int64_t x0 = {c}.next();
               fdg::partition(fdg::broadcast, x0);
               {d}.take(x0 + {c}.next());"""


@fault("annotation_unused")
def never_used(c, d):
    return f"""int64_t x0 = {c}.next();
               fdg::partition(fdg::broadcast, x0);
               x0 = {d}.next();
               {d}.take(x0);"""


@fault("annotation_of_free")
def of_the_configuration(c, d):
    return f"""int64_t x0 = cfg.steps * 2;
               fdg::partition(fdg::broadcast, x0);
               {d}.take(x0);"""


@fault("annotation_value_twice")
def twice(c, d):
    return f"""int64_t x0 = {c}.next();
               fdg::partition(fdg::broadcast, x0, x0);
               {d}.take(x0);"""


@fault("annotation_without_values")
def without_values(c, d):
    return f"fdg::partition(fdg::broadcast);\n{d}.take(1);"


@fault("annotation_not_local")
def of_a_member(c, d):
    return f"""auto x0 = {c}.pair();
               fdg::partition(fdg::gather, x0.first);
               {d}.take(x0.first);"""


@fault("operation_unknown")
def operation_in_a_variable(c, d):
    return f"""int64_t x0 = {c}.next();
               const fdg::Operation how = fdg::broadcast;
               fdg::partition(how, x0);
               {d}.take(x0);"""


@fault("cross_pointer")
def pointer_crosses(c, d):
    return f"""int64_t x0 = {c}.next();
               int64_t* p0 = &x0;
               fdg::partition(fdg::broadcast, p0);
               {d}.take(*p0);"""


@fault("cross_view")
def view_crosses(c, d):
    return f"""auto x0 = {c}.text();
               std::string_view r0 = x0;
               fdg::partition(fdg::broadcast, r0);
               {d}.take(static_cast<int64_t>(r0.size()));"""


@fault("cross_view")
def shared_pointer_crosses(c, d):
    return f"""auto x0 = std::make_shared<int64_t>({c}.next());
               fdg::partition(fdg::broadcast, x0);
               {d}.take(*x0);"""


@fault("component_copied")
def component_copied(c, d):
    return f"""auto copied = {c};
               {d}.take(1);
               copied.take(2);"""


@fault("component_copied")
def component_captured(c, d):
    return f"""auto act = [{c}]() mutable {{ return {c}.next(); }};
               act();
               {d}.take(3);"""


@fault("component_reassigned")
def component_reassigned(c, d):
    return f"{{ using Kind = decltype({c}); {c} = Kind(3); {d}.take(1); }}"


@fault("global_of_two")
def static_of_two(c, d):
    return f"""static int64_t s0 = 0;
               s0 += {c}.next();
               int64_t x0 = {c}.next();
               fdg::partition(fdg::broadcast, x0);
               {d}.take(x0);
               s0 += {d}.next();"""


@fault("global_of_two")
def global_of_two(c, d):
    return f"""shared_count += {c}.next();
               {d}.take(shared_count);"""


@fault("stream_twice")
def stream_twice(c, d):
    return """auto s0 = run.stream("draws");
              auto s1 = run.stream("draws");"""


@fault("refused_try")
def boundary_in_try(c, d):
    return f"""int64_t x0 = {c}.next();
               try {{ fdg::partition(fdg::broadcast, x0); }} catch (const std::exception&) {{ }}
               {d}.take(x0);"""


@fault("refused_jump_in_try")
def jump_out_of_try(c, d):
    return f"""for (int64_t j0 = 0; j0 < 3; ++j0) {{ try {{ if ({c}.coin()) break; }} catch (...) {{ }} {d}.take(1); }}"""


@fault("refused_fall_through")
def falls_into_a_boundary(c, d):
    return f"""int64_t x0 = {c}.next();
               switch (cfg.steps % 2) {{ case 0: {c}.take(1); [[fallthrough]];
               case 1: fdg::partition(fdg::broadcast, x0); {d}.take(x0); break; }}"""


@fault("refused_asm")
def assembly(c, d):
    return f'asm volatile("nop");\n{c}.take(1);'


@fault("refused_statement_expression")
def statement_expression(c, d):
    return f"int64_t x0 = __extension__ ({{ {c}.take(1); 3; }});\n{d}.take(2);"


@fault("random_outside_stream")
def hidden_random(c, d):
    return f"{c}.take(torch::randint(0, 9, {{4}}, torch::kInt64));\n{d}.take(1);"


@fault("reduces_whole")
def reduces_a_whole(c, d):
    return f"""int64_t x0 = {c}.next();
               fdg::partition(fdg::broadcast, x0);
               {d}.take(x0);
               int64_t y0 = x0 + 1;
               fdg::partition(fdg::reduce_sum, y0);
               {c}.take(y0);
               {d}.take(y0);"""


@fault("rows_bound_boundary")
def bounded_by_rows(c, d):
    return f"""for (int64_t j0 = 0; j0 < run.rows(4).size(); ++j0) {{
               int64_t x0 = {c}.next();
               fdg::partition(fdg::broadcast, x0);
               {d}.take(x0); }}"""


def illegal(name, seed):
    """A legal program with one fault in it; its first two components are plain variables of two roles."""
    about = sorted(FAULTS)[seed % len(FAULTS)]
    function, expected = FAULTS[about]

    def plant(generator):
        return lines(function(*generator.random.sample(["c0", "c1"], 2)))

    program = Generator(f"illegal {seed}", plant).program(name, "illegal")
    program.expected, program.about = expected, about
    return program

"""String functions that print XML for any content; for ordinary text it equals the older formatters' output.

A list of actions mixes sentences and blocks: the result of a formatter goes in unchanged, any other string as text.
"""

from collections.abc import Mapping, Sequence

from ..ast import guidance
from ..ast.step import StepHeader, XmlMandate
from ..command.quoting import quote
from ..render.layout import attribute, cdata, indented
from .markup import Markup, block, line, of
from .types import QR_ITERATION_LIMIT, BranchCommand, FlatCommand, GateConfig, NextCommand, QRState


def format_step_header(script: str, step: int, total: int, title: str, phase: str | None = None) -> Markup:
    """Return the header of a step."""
    return of(StepHeader(script=script, phase=phase, step=step, total=total, title=title))


def format_current_action(actions: Sequence[str]) -> Markup:
    """Return the work of a step."""
    return block("current_action", actions)


def format_invoke_after(next_command: NextCommand, script: str | None = None) -> Markup:
    """Return the next commands; empty at the end. `script` only fits the signature.

    Raises ValueError for a blank command, because an agent would have nothing to run.
    """
    _check_commands(next_command)
    if next_command is None:
        return Markup("")
    if isinstance(next_command, FlatCommand):
        return block("invoke_after", [next_command.command])
    ways = [block("if_pass", [_inside(next_command.if_pass)]), block("if_fail", [_inside(next_command.if_fail)])]
    return block("invoke_after", [Markup(indented(way)) for way in ways])


def format_next_block(next_command: NextCommand) -> Markup:
    """Return the older format of the same. Raises ValueError for a blank command."""
    _check_commands(next_command)
    if next_command is None:
        return line("next", "COMPLETE")
    if isinstance(next_command, FlatCommand):
        return line("next", next_command.command)
    ways = [line("if_pass", next_command.if_pass), line("if_fail", next_command.if_fail)]
    return block("next", [Markup(indented(way)) for way in ways])


def format_gate_result(status: str) -> Markup:
    """Return the decision of a gate."""
    _check(status, "status")
    return Markup(f"<gate_result{attribute('status', status)} />")


def format_xml_mandate() -> Markup:
    """Return the instructions for reading a step."""
    return of(XmlMandate())


def format_step_output(
    script: str,
    step: int,
    total: int,
    title: str,
    actions: Sequence[str],
    next_command: NextCommand,
    is_step_one: bool = False,
) -> Markup:
    """Return a whole step."""
    parts = [format_step_header(script, step, total, title), *([format_xml_mandate()] if is_step_one else [])]
    return Markup("\n\n".join([*parts, format_current_action(actions), format_invoke_after(next_command, script)]))


def format_subagent_dispatch(
    agent: str,
    script_path: str,
    step: int,
    total_steps: int,
    context_vars: Mapping[str, str] | None = None,
    free_form: bool = False,
) -> Markup:
    """Return a sub-agent to launch, and its script. Raises ValueError if one of them is blank."""
    _check(agent, "agent")
    _check(script_path, "script_path")
    items = [
        line("mode", "free_form" if free_form else "script"),
        line("script", script_path),
        line("step", str(step)),
        line("total_steps", str(total_steps)),
    ]
    if context_vars:
        held = [Markup(indented(line("var", value, name=name))) for name, value in context_vars.items()]
        items.append(block("context_vars", held))
    return block("subagent_dispatch", [Markup(indented(item)) for item in items], agent=agent)


def format_state_banner(checkpoint: str, iteration: int, mode: str) -> Markup:
    """Return the position of a review loop."""
    _check(checkpoint, "checkpoint")
    _check(mode, "mode")
    opening = block("state_banner", [], checkpoint=checkpoint, iteration=str(iteration), mode=mode)
    return Markup(opening.removesuffix("/>") + ">\n</state_banner>")


def format_qr_banner(qr: QRState, qr_name: str, fresh_review: bool = False) -> str:
    """Return the reviewer's text about the loop, for a list of actions."""
    if qr.iteration == 1:
        return f"{qr_name.upper()}: Review the work for issues."
    mode = "fresh review" if fresh_review else "re-verify fixes"
    return f"{qr_name.upper()} (Iteration {qr.iteration}, {mode}): Previous review found issues."


def format_expected_output(items: Sequence[str]) -> Markup:
    """Return the results that must exist when the step is done."""
    return of(guidance.ExpectedOutput(tuple(items)))


def format_forbidden(items: Sequence[str]) -> Markup:
    """Return absolute limits of the step."""
    return of(guidance.Forbidden(tuple(items)))


def format_detection_questions(questions: Sequence[str]) -> Markup:
    """Return questions whose answers show whether a fault exists."""
    return of(guidance.DetectionQuestions(tuple(questions)))


def format_verification_checklist(items: Sequence[str]) -> Markup:
    """Return the items that a verifier checks one by one."""
    return of(guidance.VerificationChecklist(tuple(items)))


def format_incorrect_behavior(examples: Sequence[str]) -> Markup:
    """Return examples of behaviour that breaks the step's rules."""
    return of(guidance.IncorrectBehavior(tuple(examples)))


def format_routing(next_command: NextCommand) -> Markup:
    """Return the route of the workflow, in words. Raises ValueError for a blank command."""
    _check_commands(next_command)
    if next_command is None:
        return of(guidance.Routing("Terminal - no continuation"))
    if isinstance(next_command, BranchCommand):
        return of(guidance.Routing(f"Branch -> pass={next_command.if_pass}, fail={next_command.if_fail}"))
    return of(guidance.Routing(f"Linear -> {next_command.command}"))


def format_post_qr_routing(qr: QRState, gate: GateConfig, work_script: str) -> Markup:
    """Return the routes after a passed and a failed review. `work_script` only fits the signature."""
    fixer = gate.fix_target or "developer"
    lines = [
        f"Self-fix enabled: {fixer} will fix issues" if gate.self_fix else "Manual fix: Issues block progression",
        f"PASS -> {gate.pass_step or 'COMPLETE'}",
        f"FAIL -> Step {gate.work_step} (--qr-fail --qr-iteration {qr.iteration + 1})",
    ]
    return of(guidance.PostQrRouting(indented("\n".join(lines))))


def format_resource(name: str, content: str) -> Markup:
    """Return a reference text, embedded whole."""
    _check(name, "name")
    return block("resource", [content], name=name)


def format_orchestrator_constraint(text: str) -> Markup:
    """Return the work that the orchestrator must leave to others."""
    return block("orchestrator_constraint", [text])


def format_factored_verification_rationale(rationale: str) -> Markup:
    """Return the reason to answer questions apart from the draft (chain-of-verification, Dhuliawala et al. 2023)."""
    return block("factored_verification_rationale", [rationale])


def format_open_question_guidance(text: str) -> Markup:
    """Return advice on questions that do not suggest their answer."""
    return block("open_question_guidance", [text])


def format_gate_actions(
    qr: QRState, pass_message: str, self_fix: bool, fix_target: str | None = None, iteration_limit: int | None = None
) -> list[str]:
    """Return a gate's texts by verdict, for a list of actions."""
    limit = iteration_limit or QR_ITERATION_LIMIT
    if qr.status == "pass":
        return [pass_message]
    if qr.status is None:
        return ["ERROR: Gate step requires --qr-status=pass or --qr-status=fail"]
    if qr.iteration >= limit:
        return [f"QR failed {limit} times. Manual intervention required."]
    if not self_fix:
        return ["QR found issues. Fix manually and re-run workflow."]
    agent = fix_target or "developer"
    return [f"QR found issues. Routing to {agent} for fixes (--qr-fail --qr-iteration {qr.iteration + 1})."]


def format_gate_step(
    script: str,
    step: int,
    total: int,
    title: str,
    qr: QRState,
    gate: GateConfig,
    iteration_limit: int | None = None,
) -> Markup:
    """Return a whole gate: its text, and the one next command."""
    actions = format_gate_actions(qr, gate.pass_message, gate.self_fix, gate.fix_target, iteration_limit)
    command: NextCommand = None
    if qr.status == "pass" and gate.pass_step:
        command = FlatCommand(f"python3 {quote(script)} --step {gate.pass_step} --total-steps {total}")
    elif qr.status == "fail":
        more = f"--qr-fail --qr-iteration {qr.iteration + 1}"
        command = FlatCommand(f"python3 {quote(script)} --step {gate.work_step} --total-steps {total} {more}")
    return format_step_output(script, step, total, title, actions, command)


def _inside(command: str) -> Markup:
    return Markup(indented(cdata(command)))


def _check_commands(command: NextCommand) -> None:
    if isinstance(command, FlatCommand):
        _check(command.command, "command")
    elif command is not None:
        _check(command.if_pass, "if_pass")
        _check(command.if_fail, "if_fail")


def _check(value: str, where: str) -> None:
    if not value.strip():
        raise ValueError(f"{where}: must not be blank")

"""Tags of the node classes. Made from the classes by `make docs`; a test keeps it true.

`Element` refuses them, because the parser would read another class. A step imports only the families that it prints.
"""

from typing import Final

RESERVED: Final = frozenset(
    {
        "batch_result",
        "code",
        "complete",
        "current_action",
        "detection_questions",
        "entity_result",
        "expected_output",
        "factored_verification_rationale",
        "file",
        "forbidden",
        "gate_result",
        "if",
        "if_fail",
        "if_pass",
        "incorrect_behavior",
        "invoke",
        "invoke_after",
        "needs_user_input",
        "open_question_guidance",
        "orchestrator_action",
        "orchestrator_constraint",
        "parallel_dispatch",
        "post_qr_routing",
        "qr_file_output",
        "refusal",
        "request_result",
        "resource",
        "roster_form",
        "routing",
        "state_banner",
        "step_header",
        "subagent_dispatch",
        "user_response",
        "verification_checklist",
        "version_mismatch_error",
        "xml_format_mandate",
    }
)

"""First execution of impl-docs."""

if __name__ == "__main__":
    from lib.workflow.cli import main

    raise SystemExit(main("skills.planner.technical_writer.exec_docs_execute"))
else:
    from skills.planner.agents.phase_workflows import build
    from skills.planner.phases import Phase, PhaseScript

    WORKFLOW = build(Phase.IMPL_DOCS, PhaseScript.EXECUTE)

"""The proof of every workflow of the project: laws 1, 2, 5, 6 and 7 for all that can be printed."""

stepscript_packages = ("skills", "tests.workflows")
collect_ignore = ["plugins/faulty_project"]  # what is wrong there is meant; `plugins/test_proof.py` has it found

"""The proof of the package: each valid call, each way through, each command."""

stepscript_packages = "claim_skills"

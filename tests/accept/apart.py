"""A policy that puts every fragment on a rank of its own."""


def apart(folder, fragments):
    """Its file, for the fragments of a manifest."""
    groups = [f'  g{f["id"]}: {{fragments: ["{f["name"]}"], replicas: 1}}' for f in fragments]
    policy = folder / "apart.yaml"
    policy.write_text("\n".join(["name: apart", "groups:", *groups, ""]))
    return policy

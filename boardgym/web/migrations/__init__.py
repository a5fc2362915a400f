"""How the schema of the studio's database came about, step by step."""

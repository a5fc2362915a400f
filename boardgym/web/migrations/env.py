"""What Alembic runs: the steps, on the connection that `boardgym.web.store.migrate` hands over."""

from alembic import context

from boardgym.web.models import Base
from boardgym.web.store import load_models

load_models()

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()

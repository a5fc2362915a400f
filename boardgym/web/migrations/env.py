"""What Alembic runs: the steps, on the connection that `boardgym.web.store.migrate` hands over."""

from alembic import context

from boardgym.web import bot_models, record_models  # noqa: F401  (their tables are among those below)
from boardgym.web.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()

"""The time as the studio writes it, which every process of it may ask: it loads no database."""

from datetime import UTC, datetime


def now() -> str:
    """The time in UTC, such as "2024-05-01T12:00:00.123456+00:00": texts that sort as times do."""
    return datetime.now(UTC).isoformat()

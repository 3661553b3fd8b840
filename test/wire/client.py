"""A client of turnloop in another language: all that it knows is in docs/wire.md.

`python client.py <address> <task queue> <prefix of workflow ids>` starts runs of the agent `analyst`, writes to them, reads
them, and prints what it sent and what it got as one JSON object.
"""

import asyncio
import json
import sys
from datetime import timedelta
from typing import Any

from temporalio.client import Client, WorkflowFailureError, WorkflowHandle
from temporalio.exceptions import ApplicationError, CancelledError

SIGNAL_BYTES_MAX = 512 * 1024
PART_CHARS = 160_000


async def start(client: Client, task_queue: str, id: str, run_input: dict[str, Any]) -> WorkflowHandle:
    title = run_input.get("title", id)
    return await client.start_workflow(
        "agentWorkflow",
        run_input,
        id=id,
        task_queue=task_queue,
        task_timeout=timedelta(seconds=5),
        static_summary=title,
        memo={"turnloop.title": title, "turnloop.agent": run_input["agent"]},
    )


def payloads_of(message: dict[str, Any]) -> list[Any]:
    """The payloads that carry a message: itself, or its parts when it is too large for one signal."""
    text = json.dumps(message, ensure_ascii=False)
    if len(text.encode()) <= SIGNAL_BYTES_MAX:
        return [message]
    parts = [text[at : at + PART_CHARS] for at in range(0, len(text), PART_CHARS)]
    return [{"id": message["id"], "part": n, "of": len(parts), "text": part} for n, part in enumerate(parts, 1)]


class Reader:
    """Reads `transcript` and `events` of a conversation; keeps every page as it came."""

    def __init__(self, client: Client, id: str) -> None:
        self.client, self.id = client, id
        self.pages: dict[str, list[Any]] = {"transcript": [], "events": []}

    async def entries(self, query: str, position: int = 0, run_id: str | None = None) -> list[Any]:
        run = self.client.get_workflow_handle(self.id, run_id=run_id)
        entries: list[Any] = []
        text = ""
        at: tuple[int, int] | None = (position, 0)
        while at is not None:
            page = await run.query(query, args=list(at))
            self.pages[query].append(page)
            if "before" in page:
                # What came earlier is in an earlier run of the chain; this one goes on where that ends.
                own = page["before"]["entries" if query == "transcript" else "seq"]
                earlier = await self.entries(query, position, page["before"]["runId"])
                entries, at = earlier[: own - position], (own, 0)
                continue
            entries += page["items"]
            piece = page.get("piece")
            if piece is not None:
                text += piece["text"]
                if "nextOffset" not in piece:
                    entries.append(json.loads(text))
                    text = ""
            at = (page["next"], piece.get("nextOffset", 0) if piece else 0) if "next" in page else None
        return entries


async def ended_turn(run: WorkflowHandle, turn: int) -> dict[str, Any]:
    """The state once this turn has ended and no message waits."""
    while True:
        state = await run.query("state")
        if state["phase"] == "idle" and state["turn"] >= turn and state["waitingMessages"] == 0:
            return state
        await asyncio.sleep(0.05)


async def conversation(client: Client, task_queue: str, id: str) -> dict[str, Any]:
    run_input = {
        "version": 1,
        "agent": "analyst",
        "input": "Which region grew fastest?",
        "title": "Growth by region",
        "keepOpenMs": 600_000,
        # So few that the conversation goes on in a new run of the chain every other turn.
        "limits": {"historyEventsMax": 30},
    }
    run = await start(client, task_queue, id, run_input)
    states = [await ended_turn(run, 1)]
    messages: list[list[Any]] = [
        ["only 2025"],
        # The same id again is ignored.
        2 * [{"id": "m-2", "content": [{"type": "text", "text": "And 2024?"}]}],
        payloads_of({"id": "m-3", "content": "A long report. " * 100_000}),
        payloads_of({"id": "m-4", "content": "Thank you."}),
    ]
    for turn, payloads in enumerate(messages, start=2):
        for payload in payloads:
            await run.signal("inject", payload)
        states.append(await ended_turn(run, turn))
    reader = Reader(client, id)
    transcript = await reader.entries("transcript")
    events = await reader.entries("events")
    await run.cancel()
    cancelled = False
    try:
        await run.result()
    except WorkflowFailureError as error:
        cancelled = isinstance(error.cause, CancelledError)
    memo = await (await run.describe()).memo()
    return {
        "input": run_input,
        "sent": [payload for payloads in messages for payload in payloads],
        "states": states,
        "transcript": transcript,
        "events": events,
        "pages": reader.pages,
        "cancelled": cancelled,
        "memo": dict(memo),
    }


async def single_task(client: Client, task_queue: str, id: str) -> dict[str, Any]:
    run_input = {"version": 1, "agent": "analyst", "input": "Which region grew fastest?", "limits": {"maxIterations": 5}}
    run = await start(client, task_queue, id, run_input)
    return {"input": run_input, "result": await run.result()}


async def failing(client: Client, task_queue: str, id: str) -> dict[str, Any]:
    run_input = {"version": 1, "agent": "nobody", "input": "Hello?"}
    run = await start(client, task_queue, id, run_input)
    try:
        return {"input": run_input, "result": await run.result()}
    except WorkflowFailureError as error:
        if not isinstance(error.cause, ApplicationError):
            raise
        return {"input": run_input, "type": error.cause.type, "details": error.cause.details[0]}


async def main(address: str, task_queue: str, prefix: str) -> None:
    client = await Client.connect(address)
    done = {
        "conversation": await conversation(client, task_queue, f"{prefix}-conversation"),
        "task": await single_task(client, task_queue, f"{prefix}-task"),
        "failing": await failing(client, task_queue, f"{prefix}-failing"),
    }
    print(json.dumps(done))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))

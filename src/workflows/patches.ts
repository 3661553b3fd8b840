/**
 * Which rules a run follows. A change to `core/` that would make a recorded run issue other commands gets a new number: the
 * number is recorded in the run at its start (`Run.rules`), so a run in flight goes on by the rules it started with, and
 * `nextStep` and `apply` branch on it. Each number has a paragraph here (what changed, why, since when, when the old
 * branch can go) and golden histories of its own in `test/histories/`.
 *
 * Changes to the shell (`workflows/`) that issue other commands use Temporal's `patched(id)`, each id with a paragraph here
 * too. There is none yet.
 *
 * 1 — since 0.1.0: the rules as released first.
 */
export const currentRules = (): number => 1;

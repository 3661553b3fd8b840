/** Between two looks. */
const pollMs = 25;

/** Waits for a condition; what it waits for is in the error when it never comes. */
export async function until(
  what: string,
  reached: () => Promise<boolean> | boolean,
  withinMs = 20_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await reached())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

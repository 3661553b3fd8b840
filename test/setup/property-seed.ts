/**
 * Seed of the property tests: SEED, which repeats a failed run; in CI always the same, so that what lands doesn't depend on
 * luck; else a new one each time, which is how faults are found. fast-check prints it when a property fails.
 */
export const propertySeed = Number(
  process.env['SEED'] ?? (process.env['CI'] ? 20_261_130 : Math.floor(Math.random() * 2 ** 31)),
);

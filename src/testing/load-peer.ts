/**
 * Loads an optional peer dependency when it is first needed.
 *
 * @throws Error that names the package and how to install it, when it isn't there
 */
export async function loadPeer<T>(name: string, neededFor: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    const isMissing =
      (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && message?.includes(name) === true;
    if (!isMissing) throw error;
    throw new Error(
      `${neededFor} needs the package ${name}, which is not installed: npm install -D ${name}`,
      {
        cause: error,
      },
    );
  }
}

/** Beginnings of files, in hex, and what they are. */
const signatures: [hex: string, type: string][] = [
  ['89504e470d0a1a0a', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['474946383961', 'image/gif'],
  ['474946383761', 'image/gif'],
  ['255044462d', 'application/pdf'],
  ['504b0304', 'application/zip'],
  ['1f8b', 'application/gzip'],
];

/** The media type of bytes by how they begin; `application/octet-stream` when it isn't known. */
export function bytesType(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('hex');
  if (start.startsWith('52494646') && start.endsWith('57454250')) return 'image/webp';
  return signatures.find(([hex]) => start.startsWith(hex))?.[1] ?? 'application/octet-stream';
}

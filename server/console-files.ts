import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { gunzipSync } from 'node:zlib'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
}

/** One file of the built console. */
export interface ConsoleFile {
  type: string
  /** Whether `bytes` are compressed with gzip. */
  gzipped: boolean
  bytes: Buffer
}

/**
 * Reads the built console into memory, by path (`assets/first-….js`). A gateway goes on serving the console that it started with while
 * an upgrade replaces the files. The copies that the build has compressed are kept, all in all 1.5 MB.
 */
export function loadConsoleFiles(root: string): ReadonlyMap<string, ConsoleFile> {
  const names = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
  const compressed = new Set(names.filter((name) => name.endsWith('.gz')))
  const files = new Map<string, ConsoleFile>()
  for (const name of names) {
    if (compressed.has(name)) continue
    const gzipped = compressed.has(`${name}.gz`)
    const bytes = readFileSync(join(root, gzipped ? `${name}.gz` : name))
    files.set(name, { type: TYPES[extname(name)] ?? 'application/octet-stream', gzipped, bytes })
  }
  return files
}

/** The body for a client, and its encoding: few clients do not accept gzip, for which a file is unpacked each time. */
export function encodedFor(
  { gzipped, bytes }: ConsoleFile,
  acceptEncoding: string | undefined,
): { body: Buffer; encoding?: 'gzip' } {
  if (!gzipped) return { body: bytes }
  if (acceptsGzip(acceptEncoding)) return { body: bytes, encoding: 'gzip' }
  return { body: gunzipSync(bytes) }
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3 */
function acceptsGzip(header = ''): boolean {
  return header.split(',').some((part) => {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return (coding === 'gzip' || coding === '*') && !parameters.some((text) => /^q=0(\.0*)?$/.test(text))
  })
}

import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { gunzipSync } from 'node:zlib'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
}

type Encoding = 'br' | 'gzip'

/** Compressed copies of one text, or the bytes of a file that compression does not shrink. */
export type Encoded = { br: Buffer; gzip: Buffer } | { plain: Buffer }

export interface ConsoleFile {
  type: string
  content: Encoded
}

/**
 * Reads the built console into memory, and returns the files by path (`assets/first-….js`). An upgrade that replaces
 * the files therefore does not affect a running gateway. Of compressed files, stores only the compressed copies (2 MB
 * in total).
 */
export function loadConsoleFiles(root: string): ReadonlyMap<string, ConsoleFile> {
  const names = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
  const nameSet = new Set(names)
  const read = (name: string) => readFileSync(join(root, name))
  const files = new Map<string, ConsoleFile>()
  for (const name of names) {
    if (name.endsWith('.gz') || name.endsWith('.br')) continue
    const isCompressed = nameSet.has(`${name}.gz`) && nameSet.has(`${name}.br`)
    const content = isCompressed ? { gzip: read(`${name}.gz`), br: read(`${name}.br`) } : { plain: read(name) }
    files.set(name, { type: TYPES[extname(name)] ?? 'application/octet-stream', content })
  }
  return files
}

/** Returns the uncompressed bytes of a file. */
export function plainBytes(content: Encoded): Buffer {
  return 'plain' in content ? content.plain : gunzipSync(content.gzip)
}

/**
 * Returns the body for a client, and its encoding. For the few clients that accept neither Brotli nor gzip,
 * decompresses the file at each request.
 */
export function encodedFor(
  content: Encoded,
  acceptEncoding: string | undefined,
): { body: Buffer; encoding?: Encoding } {
  if ('plain' in content) return { body: content.plain }
  const accepted = acceptedCodings(acceptEncoding)
  // Brotli is smaller, so it is used even if the client prefers gzip.
  const encoding = (['br', 'gzip'] as const).find((coding) => accepted.get(coding) ?? accepted.get('*'))
  return encoding ? { body: content[encoding], encoding } : { body: plainBytes(content) }
}

/**
 * Returns the content codings in the header. The value is false for a coding with `q=0`, which the client rejects.
 * https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
 */
function acceptedCodings(header = ''): Map<string, boolean> {
  return new Map(
    header.split(',').map((part) => {
      const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      return [coding, !parameters.some((text) => /^q=0(\.0*)?$/.test(text))]
    }),
  )
}

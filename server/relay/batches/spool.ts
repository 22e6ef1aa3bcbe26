import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { uploadFolderName } from '../endpoints/leftover-uploads.ts'
import type { UploadedFile } from '../providers/provider.ts'

/** A file on disk that is written in chunks. */
export interface Spool {
  write(chunk: string | Buffer): Promise<void>
  /** Returns the whole file after all chunks are on disk. */
  end(): Promise<UploadedFile>
  /** Removes the file. */
  discard(): Promise<void>
}

export async function openSpool(filename: string): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), uploadFolderName()))
  const path = join(folder, 'input.jsonl')
  const stream = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  const ended = finished(stream)
  // `write` and `end` report the error.
  ended.catch(() => {})
  let bytes = 0
  return {
    async write(chunk) {
      const buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      bytes += buffer.length
      if (!stream.write(buffer)) await Promise.race([once(stream, 'drain'), ended])
    },
    async end() {
      stream.end()
      await ended
      return { field: 'file', filename, mime: 'application/jsonl', bytes, open: () => createReadStream(path) }
    },
    async discard() {
      stream.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

import { Readable } from 'node:stream'
import { BodyBudget } from '../../server/bodies/budget.ts'
import type { Upload } from '../../server/relay/providers/provider.ts'

/** A multipart body in memory: file contents by field, and fields. */
export function uploadOf(
  files: Record<string, string | Buffer>,
  fields: Record<string, string> = {},
  { filename = 'a file.bin', mime = 'application/octet-stream' } = {},
): Upload {
  return {
    files: Object.entries(files).map(([field, content]) => ({
      field,
      filename,
      mime,
      bytes: Buffer.byteLength(content),
      open: () => Readable.from([Buffer.from(content as string)], { objectMode: false }),
    })),
    fields: Object.entries(fields).map(([name, value]) => ({ name, value })),
  }
}

/** An upload without memory or time limits. */
export const UNWATCHED = {
  share: new BodyBudget({ inAll: 1e9, ofAddress: 1e9, ofUser: 1e9 }).open({ address: '127.0.0.1', userId: 1 }),
  watch: () => () => {},
}

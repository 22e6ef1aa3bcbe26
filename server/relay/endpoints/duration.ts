import type { UploadedFile } from '../providers/provider.ts'

/** A telephone line's bytes a second: what a recording of unknown length is taken for. */
const UNKNOWN_BYTES_PER_SECOND = 8000
/** A length that a file claims is not believed beyond what its bytes could hold at the rate that it claims too. */
const TOLERANCE = 1.05

/**
 * How long a recording is, in seconds. Read from the file; one whose format is unknown, or does not tell (a live WebM has
 * no length), is taken for 64 kbit/s. Never fails: an upstream may know formats that we do not.
 */
export async function secondsOf({ mime, bytes, open }: Pick<UploadedFile, 'mime' | 'bytes' | 'open'>): Promise<number> {
  // Loaded when the first recording comes.
  const { parseStream } = await import('music-metadata')
  const content = open()
  try {
    const { format } = await parseStream(content, { mimeType: mime, size: bytes }, { duration: true, skipCovers: true })
    const { duration = 0, bitrate = 0 } = format
    const longest = bitrate > 0 ? ((bytes * 8) / bitrate) * TOLERANCE : Number.POSITIVE_INFINITY
    const seconds = duration > longest ? longest / TOLERANCE : duration
    return seconds > 0 && Number.isFinite(seconds) ? seconds : bytes / UNKNOWN_BYTES_PER_SECOND
  } catch {
    return bytes / UNKNOWN_BYTES_PER_SECOND
  } finally {
    content.destroy()
  }
}

import type { ChunkReader } from '../../server/relay/transport/chunks.ts'

/** A reader whose batches the test supplies: `next` returns each batch, undefined at the end, or rejects. */
export function handMadePieces(next: ChunkReader['next']): ChunkReader {
  return {
    next,
    async flow(take) {
      for (let pieces = await next(); pieces; pieces = await next()) if ((await take(pieces)) === 'stop') return
    },
    putBack() {},
    close() {},
  }
}

import type { Pieces } from '../../server/relay/transport/pieces.ts'

/** Pieces that a test hands out itself: `next` answers each batch, undefined at the end, or rejects. */
export function handMadePieces(next: Pieces['next']): Pieces {
  return {
    next,
    async flow(take) {
      for (let pieces = await next(); pieces; pieces = await next()) if ((await take(pieces)) === 'stop') return
    },
    putBack() {},
    close() {},
  }
}

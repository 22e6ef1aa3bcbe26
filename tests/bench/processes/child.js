/** The child's side of `../processes.js`: reports that it is ready, replies to requests, and ends with its parent. */

export const settings = JSON.parse(process.argv[2] ?? '{}')

/** @param {object} info @param {Record<string, (options: any) => any>} [handlers] */
export function ready(info, handlers = {}) {
  process.once('disconnect', () => process.exit())
  process.on('message', (/** @type {any} */ { id, what, options }) => {
    Promise.resolve()
      .then(() => handlers[what]?.(options))
      .then(
        (result) => process.send?.({ id, result: result ?? null }),
        (error) => process.send?.({ id, error: String(error?.stack ?? error) }),
      )
  })
  process.send?.({ ready: info })
}

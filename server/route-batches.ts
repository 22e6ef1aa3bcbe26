import type { FastifyInstance } from 'fastify'

type Done = (error?: Error | null) => void
/** The end of a route's registration. Calls `done` before it returns. */
type Work = (error: Error | null, done: Done) => void

/**
 * Ends the registration of a plugin's routes in one step. Fastify queues the end of each route like a plugin of its own, which takes
 * a sixth of a gateway's start. Call it before any route is registered.
 */
export function endRoutesTogether(app: FastifyInstance): void {
  const { after } = app as unknown as { after(work?: unknown): unknown }
  const batches = new WeakMap<object, Work[]>()
  let registering: object | undefined
  // Right after this hook, the route calls `after`.
  app.addHook('onRoute', function () {
    registering = this
  })
  function end(instance: object, error: Error | null, done: Done): void {
    const works = batches.get(instance) ?? []
    batches.delete(instance)
    let failure: Error | null | undefined = error
    for (const work of works) {
      work(failure ?? null, (cause) => {
        failure = cause
      })
    }
    done(failure)
  }
  Object.assign(app, {
    after(this: object, work?: Work): unknown {
      if (!work || registering !== this) return after.call(this, work)
      registering = undefined
      const works = batches.get(this)
      if (works) works.push(work)
      else {
        batches.set(this, [work])
        after.call(this, (error: Error | null, done: Done) => end(this, error, done))
      }
      return this
    },
  })
}

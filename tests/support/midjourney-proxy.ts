import { type Exchange, type HandMadeUpstream, sendJson, startUpstream } from './hand-made-upstream.ts'

type Task = Record<string, unknown>

/** A mock of a Midjourney proxy: the test sets the state of its drawings. */
export interface MidjourneyProxy extends HandMadeUpstream {
  /** The state of each drawing; a missing one is omitted from replies. */
  tasks: Map<string, Task>
  /** Sets the state of a drawing. */
  report(id: string, content: Task): void
  /** The next replies, instead of the default ones, to any request; each is used once. */
  script: ((exchange: Exchange) => unknown)[]
  /** The requested ids of each poll. */
  requests: string[][]
}

/** Starts a proxy that accepts all submissions as `<prefix>-1`, `<prefix>-2`, … */
export async function startMidjourneyProxy(prefix = 'mj'): Promise<MidjourneyProxy> {
  const tasks: MidjourneyProxy['tasks'] = new Map()
  const script: MidjourneyProxy['script'] = []
  const requests: string[][] = []
  let taken = 0
  const upstream = await startUpstream((exchange) => {
    const { path, body } = exchange
    if (path.endsWith('/list-by-condition')) requests.push(body.ids as string[])
    const scripted = script.shift()
    if (scripted) return scripted(exchange)
    if (path.endsWith('/list-by-condition')) {
      return sendJson(
        exchange,
        (body.ids as string[]).flatMap((id) => (tasks.has(id) ? [{ id, ...tasks.get(id) }] : [])),
      )
    }
    if (path.endsWith('/image-seed')) return sendJson(exchange, accepted('123456'))
    const id = `${prefix}-${++taken}`
    tasks.set(id, { status: 'SUBMITTED', progress: '0%', action: path.split('/').at(-1) })
    return sendJson(exchange, accepted(id))
  })
  const report: MidjourneyProxy['report'] = (id, content) => void tasks.set(id, { ...tasks.get(id), ...content })
  return { ...upstream, tasks, script, requests, report }
}

/** The reply to an accepted submission. */
export const accepted = (result: unknown, more: Task = {}): Task => ({
  code: 1,
  description: '提交成功',
  properties: {},
  result,
  ...more,
})

/** Returns a scripted reply with that body and status, for any request. */
export const answering =
  (body: unknown, status = 200) =>
  (exchange: Exchange): void =>
    sendJson(exchange, body, status)

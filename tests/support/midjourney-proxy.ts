import { type Exchange, type HandMadeUpstream, sendJson, startUpstream } from './hand-made-upstream.ts'

type Task = Record<string, unknown>

/** A Midjourney proxy as the gateway sees it: its drawings are whatever the test says of them. */
export interface MidjourneyProxy extends HandMadeUpstream {
  /** What it says of each drawing; one that is missing is not named in an answer. */
  tasks: Map<string, Task>
  /** Says something about a drawing from now on. */
  report(id: string, said: Task): void
  /** The next answers in place of its own, whatever is asked; each is used once. */
  script: ((exchange: Exchange) => unknown)[]
  /** Which ids it was asked for, question by question. */
  asked: string[][]
}

/** Starts one, which takes every submission and calls them `<prefix>-1`, `<prefix>-2`, … */
export async function startMidjourneyProxy(prefix = 'mj'): Promise<MidjourneyProxy> {
  const tasks: MidjourneyProxy['tasks'] = new Map()
  const script: MidjourneyProxy['script'] = []
  const asked: string[][] = []
  let taken = 0
  const upstream = await startUpstream((exchange) => {
    const { path, body } = exchange
    if (path.endsWith('/list-by-condition')) asked.push(body.ids as string[])
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
  const report: MidjourneyProxy['report'] = (id, said) => void tasks.set(id, { ...tasks.get(id), ...said })
  return { ...upstream, tasks, script, asked, report }
}

/** What such a proxy answers to a submission that it takes. */
export const accepted = (result: unknown, more: Task = {}): Task => ({
  code: 1,
  description: '提交成功',
  properties: {},
  result,
  ...more,
})

/** One that says that, with that status, to whatever it is asked next. */
export const answering =
  (body: unknown, status = 200) =>
  (exchange: Exchange): void =>
    sendJson(exchange, body, status)

import { type Exchange, type HandMadeUpstream, sendJson, startUpstream } from './hand-made-upstream.ts'

/** A mock of a music server: the test sets the state of its tasks. */
export interface SunoServer extends HandMadeUpstream {
  /** The state of each task; a missing one is omitted from replies. */
  tasks: Map<string, Record<string, unknown>>
  /** Sets the state of a task. */
  report(taskId: string, content: Record<string, unknown>): void
  /** The next replies to submissions, instead of a task; each is used once. */
  script: ((exchange: Exchange) => unknown)[]
  /** The requested ids of each poll. */
  requests: string[][]
  /** Number of concurrent polls to wait for before replying to them. */
  together: number
}

/** Starts a server that accepts all tasks as `<prefix>-1`, `<prefix>-2`, … Closes with the test. */
export async function startSunoServer(prefix = 'task'): Promise<SunoServer> {
  const tasks: SunoServer['tasks'] = new Map()
  const script: SunoServer['script'] = []
  const requests: string[][] = []
  const waiting: Exchange[] = []
  const tell = (exchange: Exchange) => {
    const data = (exchange.body.ids as string[]).flatMap((id) =>
      tasks.has(id) ? [{ task_id: id, ...tasks.get(id) }] : [],
    )
    sendJson(exchange, { code: 'success', message: '', data })
  }
  const upstream = await startUpstream((exchange) => {
    const { path, body } = exchange
    if (path === '/suno/fetch') {
      requests.push(body.ids as string[])
      waiting.push(exchange)
      if (waiting.length >= server.together) for (const each of waiting.splice(0)) tell(each)
      return undefined
    }
    const scripted = script.shift()
    if (scripted) return scripted(exchange)
    const id = `${prefix}-${tasks.size + 1}`
    tasks.set(id, { status: 'SUBMITTED', action: path.split('/').at(-1) })
    return sendJson(exchange, { code: 'success', message: '', data: id })
  })
  const server: SunoServer = {
    ...upstream,
    tasks,
    script,
    requests,
    together: 1,
    report: (taskId, content) => void tasks.set(taskId, { ...tasks.get(taskId), ...content }),
  }
  return server
}

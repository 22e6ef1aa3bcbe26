import { type Exchange, type HandMadeUpstream, sendJson, startUpstream } from './hand-made-upstream.ts'

/** A server that makes music, as far as the gateway sees it: tasks that are whatever the test says of them. */
export interface SunoServer extends HandMadeUpstream {
  /** What it says of each task; one that is missing is not named in an answer. */
  tasks: Map<string, Record<string, unknown>>
  /** Says something about a task from now on. */
  report(taskId: string, said: Record<string, unknown>): void
  /** The next answers to submissions in place of a task; each is used once. */
  script: ((exchange: Exchange) => unknown)[]
  /** How often it was asked for tasks, and for which. */
  asked: string[][]
  /** Who asks for tasks is answered when so many do at once. */
  together: number
}

/** Starts one, which takes every task and calls them `<prefix>-1`, `<prefix>-2`, … Gone when the test ends. */
export async function startSunoServer(prefix = 'task'): Promise<SunoServer> {
  const tasks: SunoServer['tasks'] = new Map()
  const script: SunoServer['script'] = []
  const asked: string[][] = []
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
      asked.push(body.ids as string[])
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
    asked,
    together: 1,
    report: (taskId, said) => void tasks.set(taskId, { ...tasks.get(taskId), ...said }),
  }
  return server
}

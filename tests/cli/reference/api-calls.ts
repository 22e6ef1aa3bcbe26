import diagnostics from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { type Operation, readOperations } from '../../support/operations.ts'
import { type Chapter, readCommandLine } from './command-line.ts'
import { lineOf } from './shell.ts'

/** A request that a command line has made. */
interface Call {
  line: string
  method: string
  path: string
}

/** Records the requests of this process to the server at `url`, with the command line that was running. */
export function observeCalls(url: string) {
  const { host } = new URL(url)
  const calls: Call[] = []
  let line = ''
  const note = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    if (request.headers.host !== host || line === '') return
    calls.push({ line, method: request.method ?? '', path: (request.url ?? '').replace(/\?.*/s, '') })
  }
  diagnostics.subscribe('http.server.request.start', note)
  return {
    calls,
    during(next: string) {
      line = next
    },
    end: () => diagnostics.unsubscribe('http.server.request.start', note),
  }
}

/** Calls of the management API that no command makes, and the reasons. */
export const EXPLAINED: readonly { calls: RegExp; why: string }[] = [
  {
    calls: /^GET \/api\/oauth\/email\/bind$/,
    why: 'only for browser sessions; `account verify-email` makes another call',
  },
  {
    calls: /^POST \/api\/user\/self\/confirm$/,
    why: 'only for browser sessions; commands send the password with the change',
  },
  {
    calls: /^GET \/api\/channel\/activity$/,
    why: "for the console's list of channels; `channel health` and `stat` show more",
  },
  { calls: /^POST \/api\/picture$/, why: 'for the console, whose browser must not load pictures from other sites' },
  { calls: /^GET \/api\/oauth\//, why: 'the browser makes the call after the sign-in at a provider' },
  { calls: /^GET \/api\/user\/epay\/notify$/, why: 'the payment service calls it' },
  {
    calls: /\/dashboard\/billing\//,
    why: "for programs written for OpenAI's dashboard; `token usage` has the same figures",
  },
  {
    calls: /^POST \/pg\/chat\/completions$/,
    why: "the console's playground, only for browser sessions; `chat` makes another call",
  },
  {
    calls: /^GET \/api\/(user|channel|token|redemption|mj|task|mj\/self|task\/self)\/?$/,
    why: 'the list without totals; commands call the list with filters and totals',
  },
  {
    calls: /^GET \/api\/(group\/|user\/groups|user\/self\/groups)$/,
    why: 'only names; `group list` gets the details',
  },
  { calls: /^GET \/api\/log\/request\//, why: 'for the console; `log trace` reads the log rows' },
  { calls: /^GET \/api\/user\/first-steps$/, why: 'for the console; `doctor` shows missing steps' },
  {
    calls: /^GET \/api\/token\/:?\w+\/models$/,
    why: 'for the examples in the console; `chat --list-models` calls the relay',
  },
  {
    calls: /^GET \/api\/data\/dashboard$/,
    why: 'for the dashboard of the console, which gets all figures in one reply',
  },
  { calls: /^GET \/api\/team\/:id\/logs\/stat$/, why: 'the sum of a filtered log; `team stat` has the same figures' },
  { calls: /^GET \/api\/pricing$/, why: 'for the console; `pricing list` gets the details' },
  { calls: /^GET \/api\/token\/search$/, why: 'its URL contains keys; commands send them in a body' },
  {
    calls: /^POST \/api\/option\/rest_model_ratio$/,
    why: 'an older path of the call that `option reset-ratios` makes',
  },
  { calls: /^GET \/api\/option\/secrets$/, why: 'for the console, which checks a switch before it is saved' },
  { calls: /^GET \/api\/channel\/types$/, why: 'for the console; `channel types` needs no call' },
  {
    calls: /^GET \/api\/(batch|file)\/self$/,
    why: 'for users; `batch` and `file` are for administrators',
  },
  { calls: /^DELETE \/api\/channel\/:id$/, why: 'deletes one channel; `channel delete` deletes several in one call' },
]

/** Calls that too many commands make to list. The texts replace the lists of commands. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  'GET /api/user/identity': 'every command, if only TOLLGATE_TOKEN identifies the user',
  'GET /api/status': 'every command that shows amounts; `status`, `doctor` and `login`',
}

interface Row {
  call: string
  commands: string[]
  why: string | undefined
}

/** Returns the operations of the management API, without the paths of the relay. */
async function managementCalls(url: string): Promise<Operation[]> {
  const operations = await readOperations(url)
  return operations.filter(({ path, access }) => access !== undefined || /^\/pg\/|\/dashboard\/billing\//.test(path))
}

async function rowsOf(url: string, calls: readonly Call[]): Promise<Row[]> {
  const [operations, names] = [await managementCalls(url), namesIn(await readCommandLine())]
  const made = new Map<Operation, Set<string>>()
  for (const { method, path, line } of calls) {
    const operation = operationFor(operations, { method, path })
    if (!operation) continue
    const commands = made.get(operation) ?? new Set()
    for (const part of line.split(' | ').filter((each) => each.includes('tollgate')))
      commands.add(commandIn(part, names))
    made.set(operation, commands)
  }
  return operations.map((operation) => {
    const call = `${operation.method} ${operation.path.replace(/\{([^}]+)\}/g, ':$1')}`
    const commands = [...(made.get(operation) ?? [])].sort()
    return { call, commands, why: EXPLAINED.find(({ calls }) => calls.test(call))?.why }
  })
}

/** Returns the operation whose path matches; of several, the operation with the fewest parameters. */
function operationFor(operations: readonly Operation[], { method, path }: { method: string; path: string }) {
  const fitting = operations.filter((each) => {
    const pattern = each.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')
    return each.method === method && new RegExp(`^${pattern}/?$`).test(path)
  })
  return fitting.sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0]
}

function namesIn({ page, below }: Chapter): string[] {
  return [page.words, ...below.flatMap(namesIn)]
}

/** Returns the longest command name with which the line starts, after shell syntax and global options are removed. */
function commandIn(line: string, names: readonly string[]): string {
  const { text } = lineOf(line)
  const from = text.slice(Math.max(0, text.search(/\btollgate\b/)))
  const plain = from.replace(/\s--(server|profile|language|database|config)\s+\S+|\s--json\b/g, '')
  const fitting = names.filter((name) => `${plain} `.startsWith(`${name} `))
  return fitting.sort((a, b) => b.length - a.length)[0] ?? line
}

export async function unexplained(url: string, calls: readonly Call[]): Promise<string[]> {
  const rows = await rowsOf(url, calls)
  return rows.filter(({ commands, why }) => commands.length === 0 && why === undefined).map(({ call }) => call)
}

/** Returns the text of docs/cli-api.md. Adjacent calls with the same commands share a line. */
export async function apiTable(url: string, calls: readonly Call[]): Promise<string> {
  const lines: { calls: string[]; made: string }[] = []
  for (const { call, commands, why } of await rowsOf(url, calls)) {
    const made = EVERYWHERE[call] ?? (linksTo(commands) || `_${why}_`)
    const last = lines.at(-1)
    if (last?.made === made) last.calls.push(call)
    else lines.push({ calls: [call], made })
  }
  return [
    '# Every call of the management API, and the command that makes it',
    '',
    '`npm run cli-calls` writes this page: it runs the examples of all commands, then more command lines, and records the calls. See',
    '[cli.md](cli.md) for the commands and [api.md](api.md) for the API.',
    '',
    ...lines.map(({ calls: names, made }) => `- ${names.map((name) => `\`${name}\``).join(', ')}: ${made}`),
    '',
  ].join('\n')
}

/** Returns links to the sections of commands in docs/cli.md. Commands of a noun follow its name. */
function linksTo(commands: readonly string[]): string {
  const verbsOf = new Map<string, string[]>()
  for (const name of commands) {
    const words = name.replace(/^tollgate /, '').split(' ')
    const noun = words.slice(0, -1).join(' ')
    const link = `[${words.at(-1)}](cli.md#${name.replaceAll(' ', '-')})`
    verbsOf.set(noun, [...(verbsOf.get(noun) ?? []), link])
  }
  return [...verbsOf].map(([noun, links]) => `${noun} ${links.join(', ')}`.trim()).join('; ')
}

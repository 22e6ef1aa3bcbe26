import type { CoverageRow } from './row.ts'

const PAGE = 'tests/console/browser/playground.test.ts › '
const CHAT = `${PAGE}a chat in the playground › `
const MESSAGE = `${PAGE}a message › `
const SETTINGS = `${PAGE}the settings of the playground › `
const STREAM = 'tests/console/api/event-stream.test.ts › server-sent events › '
const PARTS = 'tests/console/api/playground.test.ts › '

const written = `${CHAT}is rendered while it streams, as Markdown, and is kept until its user signs out`
const broken = `${CHAT}shows the error at the end of a truncated reply, and can be retried`
const sent = `${SETTINGS}are sent and stored, and can be reset`

/** The playground: what the specification says of it, and where that is shown. */
export const rows: CoverageRow[] = [
  { spec: 'B §2', line: 'Playground: a chat box', test: written },
  {
    spec: 'B §2',
    line: 'Playground: a side panel with settings; a drawer up to 600 px',
    test: `${SETTINGS}are a drawer on a phone`,
  },
  {
    spec: 'B §4',
    line: 'Message status loading and incomplete while the reply is written, complete at its end',
    test: written,
  },
  { spec: 'B §4', line: 'Message status error', test: broken },
  { spec: 'B §5', line: 'Temperature from 0.1 to 1 in steps of 0.1', test: sent },
  {
    spec: 'B §6',
    line: '未登录或登录已过期，请重新登录！ when an expired flag is present',
    test: `${CHAT}reports an expired session also for its URL`,
  },
  {
    spec: 'B §7',
    line: 'POST /pg/chat/completions: {messages, stream, model, group, max_tokens, temperature}, and the user-id header',
    test: written,
  },
  {
    spec: 'B §7',
    line: 'choices[0].delta.content is read until [DONE]',
    test: `${PARTS}a chat › requests a stream with exactly the chosen settings, and ends with [DONE]`,
  },
  {
    spec: 'B §7',
    line: 'Stream parsing accepts server-sent events, cut anywhere',
    test: `${STREAM}may be split anywhere, within a character and between CR and LF too`,
  },
  { spec: 'B §7', line: 'GET /api/user/models fills the choice of models', test: sent },
  { spec: 'B §7', line: 'GET /api/user/self/groups fills the choice of groups', test: written },
  { spec: 'B §8', line: 'Stream error: its data is appended to the reply, the message is marked error', test: broken },
  {
    spec: 'B §9',
    line: 'Defaults: model gpt-4o-mini, temperature 0, max tokens 0',
    test: 'tests/console/pages/playground/conversation.test.ts › the playground request › has the chosen settings, and no limits by default',
  },
  {
    spec: 'A §8',
    line: 'HTTP 429 while chatting: 错误：请求次数过多，请稍后再试！, and nothing typed is lost',
    test: `${CHAT}loses no input if it is rejected, or if the session has expired`,
  },
  {
    spec: 'A §8',
    line: 'HTTP 401 while chatting: /login?expired=true, and the conversation is kept',
    test: `${CHAT}loses no input if it is rejected, or if the session has expired`,
  },
  {
    spec: 'beyond',
    line: 'Stop: the upstream is let go, what has come stays (已停止)',
    test: `${CHAT}is stopped by a button: the received text stays, and the upstream request is aborted`,
  },
  { spec: 'beyond', line: 'Regenerate', test: broken },
  { spec: 'beyond', line: 'Markdown and code highlighting', test: written },
  {
    spec: 'beyond',
    line: 'Images by file, clipboard and drag, limited with a clear message',
    test: `${MESSAGE}accepts pictures from a file, the clipboard and by drag, and rejects others with a reason`,
  },
  {
    spec: 'beyond',
    line: 'Copy, edit, delete and clear; Enter sends, but not while an input method composes',
    test: `${MESSAGE}is copied, edited, sent again, deleted and cleared, and Enter that confirms an IME word sends nothing`,
  },
  {
    spec: 'beyond',
    line: 'The list follows a reply, and leaves who reads further up in peace',
    test: `${MESSAGE}that arrives while the user reads further up keeps the scroll position`,
  },
  {
    spec: 'beyond',
    line: 'Thoughts of a model are shown on demand',
    test: `${CHAT}shows a model's reasoning on demand`,
  },
  {
    spec: 'beyond',
    line: 'A stream without its end is said to be broken off',
    test: `${CHAT}reports a stream without an end as an error, with its known usage`,
  },
]

import type { CoverageRow } from './row.ts'

const CHAT = 'tests/console/browser/chat.test.ts › the embedded chat › '
const LINK = 'tests/console/browser/chat.test.ts › /chat2link › '

const framed = `${CHAT}frames the application with an enabled key and the address of the gateway, without access to its user's session`
const buttons = `${CHAT}offers sites that forbid framing as a button, and names an invalid link`
const nothing = `${CHAT}asks a visitor to sign in, and says if nothing is configured`
const noToken = `${CHAT}links to the tokens if none is enabled`

/** The embedded chat and /chat2link: what the specification says of them, and where that is shown. */
export const rows: CoverageRow[] = [
  {
    spec: 'B §2',
    line: '/chat/{id?}: a frame with the configured chat of that number, the first without one',
    test: framed,
  },
  { spec: 'B §2', line: '/chat/{id?} has no guard: a visitor is told to sign in', test: nothing },
  {
    spec: 'B §2',
    line: '/chat2link: redirects to the chat',
    test: `${LINK}redirects to the application of the older setting first`,
  },
  { spec: 'B §2', line: "One of the user's enabled tokens is used", test: framed },
  { spec: 'B §2', line: 'Address and key placeholders in the link are replaced', test: framed },
  { spec: 'B §8', line: '聊天链接配置错误，请联系管理员', test: buttons },
  { spec: 'B §8', line: 'No chat link: 请联系管理员配置聊天链接', test: nothing },
  {
    spec: 'B §8',
    line: '聊天数据解析失败',
    test: `${CHAT}reports unreadable platform data`,
  },
  { spec: 'B §8', line: '当前没有可用的启用令牌，请确认是否有令牌处于启用状态！', test: noToken },
  { spec: 'B §8', line: 'then a redirect to /token after 1.5 seconds', test: noToken },
  { spec: 'B §9', line: 'The token list for chat: GET /api/token/ with p=0 and size=100', test: framed },
  { spec: 'beyond', line: 'Links of other schemes open by a button', test: buttons },
]

/** Every documented call of the management API: what the tests that look at all routes at once go by. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** As documented, with `:id` for a parameter. */
  path: string
  /** The least that its caller must be; `key`: the holder of an API key. */
  access: 'anyone' | 'session' | 'bearer' | 'user' | 'admin' | 'root' | 'key'
  /** Section 7 of the specifications that name it: A accounts, access and settings; B operations. */
  spec: '' | 'A' | 'B' | 'AB'
  /** Section of the reference of the management API. Empty: only Tollgate has the call. */
  reference: string
  /** Counts against the limit of sign-in, registration and mails. */
  critical?: true
  botCheck?: true
  /** Pages of other origins may read the answer. */
  anyOrigin?: true
}

// biome-ignore format: one call per line
export const CALLS: readonly Call[] = [
  { method: 'GET', path: '/api/status', access: 'anyone', spec: 'B', reference: '3.1' },
  { method: 'GET', path: '/api/status/test', access: 'admin', spec: '', reference: '3.3' },
  { method: 'GET', path: '/api/notice', access: 'anyone', spec: '', reference: '3.2' },
  { method: 'GET', path: '/api/about', access: 'anyone', spec: '', reference: '3.2' },
  { method: 'GET', path: '/api/home_page_content', access: 'anyone', spec: '', reference: '3.2' },
  { method: 'GET', path: '/api/models', access: 'user', spec: 'A', reference: '16.5' },
  { method: 'GET', path: '/api/pricing', access: 'anyone', spec: 'B', reference: '16.7' },
  { method: 'GET', path: '/api/verification', access: 'anyone', spec: 'A', reference: '4.4', critical: true, botCheck: true },
  { method: 'GET', path: '/api/reset_password', access: 'anyone', spec: 'A', reference: '4.5', critical: true, botCheck: true },
  { method: 'POST', path: '/api/user/reset', access: 'anyone', spec: 'A', reference: '4.6', critical: true },
  { method: 'GET', path: '/api/oauth/state', access: 'anyone', spec: 'A', reference: '5.1', critical: true },
  { method: 'GET', path: '/api/oauth/github', access: 'anyone', spec: 'B', reference: '5.2', critical: true },
  { method: 'GET', path: '/api/oauth/linuxdo', access: 'anyone', spec: 'B', reference: '5.3', critical: true },
  { method: 'GET', path: '/api/oauth/wechat', access: 'anyone', spec: 'AB', reference: '5.5', critical: true },
  { method: 'GET', path: '/api/oauth/wechat/bind', access: 'session', spec: 'A', reference: '5.6', critical: true },
  { method: 'GET', path: '/api/oauth/email/bind', access: 'session', spec: 'A', reference: '5.8', critical: true },
  { method: 'GET', path: '/api/oauth/telegram/login', access: 'anyone', spec: 'A', reference: '5.7', critical: true },
  { method: 'GET', path: '/api/oauth/telegram/bind', access: 'session', spec: 'A', reference: '5.7', critical: true },
  { method: 'POST', path: '/api/user/register', access: 'anyone', spec: 'A', reference: '4.1', critical: true, botCheck: true },
  { method: 'POST', path: '/api/user/login', access: 'anyone', spec: 'A', reference: '4.2', critical: true, botCheck: true },
  { method: 'GET', path: '/api/user/logout', access: 'anyone', spec: 'AB', reference: '4.3' },
  { method: 'GET', path: '/api/user/epay/notify', access: 'anyone', spec: '', reference: '12.4' },
  { method: 'GET', path: '/api/user/groups', access: 'anyone', spec: '', reference: '16.2' },
  { method: 'GET', path: '/api/user/self/groups', access: 'user', spec: 'B', reference: '16.2' },
  { method: 'GET', path: '/api/user/self', access: 'user', spec: 'AB', reference: '6.1' },
  { method: 'PUT', path: '/api/user/self', access: 'user', spec: 'A', reference: '6.2' },
  { method: 'DELETE', path: '/api/user/self', access: 'user', spec: 'A', reference: '6.3' },
  { method: 'GET', path: '/api/user/models', access: 'user', spec: 'AB', reference: '16.4' },
  { method: 'GET', path: '/api/user/token', access: 'user', spec: 'A', reference: '6.4' },
  { method: 'GET', path: '/api/user/aff', access: 'user', spec: 'A', reference: '6.5' },
  { method: 'POST', path: '/api/user/aff_transfer', access: 'user', spec: 'A', reference: '6.6' },
  { method: 'POST', path: '/api/user/topup', access: 'user', spec: 'B', reference: '11.2' },
  { method: 'POST', path: '/api/user/pay', access: 'user', spec: 'B', reference: '12.3' },
  { method: 'POST', path: '/api/user/amount', access: 'user', spec: 'B', reference: '12.2' },
  { method: 'GET', path: '/api/user/', access: 'admin', spec: 'A', reference: '7.1' },
  { method: 'GET', path: '/api/user/search', access: 'admin', spec: 'A', reference: '7.1' },
  { method: 'GET', path: '/api/user/:id', access: 'admin', spec: 'AB', reference: '7.2' },
  { method: 'POST', path: '/api/user/', access: 'admin', spec: 'A', reference: '7.3' },
  { method: 'PUT', path: '/api/user/', access: 'admin', spec: 'A', reference: '7.4' },
  { method: 'POST', path: '/api/user/manage', access: 'admin', spec: 'A', reference: '7.5' },
  { method: 'DELETE', path: '/api/user/:id', access: 'admin', spec: '', reference: '7.6' },
  { method: 'GET', path: '/api/option/', access: 'root', spec: 'A', reference: '8.1' },
  { method: 'PUT', path: '/api/option/', access: 'root', spec: 'A', reference: '8.2' },
  { method: 'POST', path: '/api/option/rest_model_ratio', access: 'root', spec: 'A', reference: '8.3' },
  { method: 'GET', path: '/api/channel/', access: 'admin', spec: 'B', reference: '9.1' },
  { method: 'GET', path: '/api/channel/search', access: 'admin', spec: 'B', reference: '9.1' },
  { method: 'GET', path: '/api/channel/models', access: 'admin', spec: 'B', reference: '16.6' },
  { method: 'GET', path: '/api/channel/:id', access: 'admin', spec: '', reference: '9.1' },
  { method: 'POST', path: '/api/channel/', access: 'admin', spec: 'B', reference: '9.2' },
  { method: 'PUT', path: '/api/channel/', access: 'admin', spec: 'B', reference: '9.3' },
  { method: 'DELETE', path: '/api/channel/:id', access: 'admin', spec: 'B', reference: '9.4' },
  { method: 'DELETE', path: '/api/channel/disabled', access: 'admin', spec: 'B', reference: '9.4' },
  { method: 'POST', path: '/api/channel/batch', access: 'admin', spec: 'B', reference: '9.4' },
  { method: 'POST', path: '/api/channel/batch/tag', access: 'admin', spec: 'B', reference: '9.5' },
  { method: 'POST', path: '/api/channel/fix', access: 'admin', spec: 'B', reference: '9.6' },
  { method: 'PUT', path: '/api/channel/tag', access: 'admin', spec: 'B', reference: '9.5' },
  { method: 'POST', path: '/api/channel/tag/enabled', access: 'admin', spec: 'B', reference: '9.5' },
  { method: 'POST', path: '/api/channel/tag/disabled', access: 'admin', spec: 'B', reference: '9.5' },
  { method: 'GET', path: '/api/channel/test', access: 'admin', spec: 'B', reference: '9.8' },
  { method: 'GET', path: '/api/channel/test/:id', access: 'admin', spec: 'B', reference: '9.7' },
  { method: 'GET', path: '/api/channel/update_balance', access: 'admin', spec: 'B', reference: '9.9' },
  { method: 'GET', path: '/api/channel/update_balance/:id', access: 'admin', spec: 'B', reference: '9.9' },
  { method: 'GET', path: '/api/channel/fetch_models/:id', access: 'admin', spec: '', reference: '9.10' },
  { method: 'POST', path: '/api/channel/fetch_models', access: 'admin', spec: '', reference: '9.10' },
  { method: 'GET', path: '/api/token/', access: 'user', spec: 'B', reference: '10' },
  { method: 'GET', path: '/api/token/search', access: 'user', spec: 'B', reference: '10' },
  { method: 'GET', path: '/api/token/:id', access: 'user', spec: 'B', reference: '10' },
  { method: 'POST', path: '/api/token/', access: 'user', spec: 'B', reference: '10.1' },
  { method: 'PUT', path: '/api/token/', access: 'user', spec: 'B', reference: '10.2' },
  { method: 'DELETE', path: '/api/token/:id', access: 'user', spec: 'B', reference: '10' },
  { method: 'GET', path: '/api/redemption/', access: 'admin', spec: 'B', reference: '11.1' },
  { method: 'GET', path: '/api/redemption/search', access: 'admin', spec: 'B', reference: '11.1' },
  { method: 'GET', path: '/api/redemption/:id', access: 'admin', spec: 'B', reference: '11.1' },
  { method: 'POST', path: '/api/redemption/', access: 'admin', spec: 'B', reference: '11.1' },
  { method: 'PUT', path: '/api/redemption/', access: 'admin', spec: 'B', reference: '11.1' },
  { method: 'DELETE', path: '/api/redemption/:id', access: 'admin', spec: 'B', reference: '11.1' },
  { method: 'GET', path: '/api/log/', access: 'admin', spec: 'B', reference: '13.1' },
  { method: 'DELETE', path: '/api/log/', access: 'admin', spec: 'A', reference: '13.5' },
  { method: 'GET', path: '/api/log/stat', access: 'admin', spec: 'B', reference: '13.4' },
  { method: 'GET', path: '/api/log/search', access: 'admin', spec: '', reference: '13.2' },
  { method: 'GET', path: '/api/log/self', access: 'user', spec: 'B', reference: '13.1' },
  { method: 'GET', path: '/api/log/self/stat', access: 'user', spec: 'B', reference: '13.4' },
  { method: 'GET', path: '/api/log/self/search', access: 'user', spec: '', reference: '13.2' },
  { method: 'GET', path: '/api/log/token', access: 'anyone', spec: '', reference: '13.3', anyOrigin: true },
  { method: 'GET', path: '/api/data/', access: 'admin', spec: '', reference: '14.2' },
  { method: 'GET', path: '/api/data/self', access: 'user', spec: '', reference: '14.3' },
  { method: 'GET', path: '/api/mj/', access: 'admin', spec: 'B', reference: '15.1' },
  { method: 'GET', path: '/api/mj/self', access: 'user', spec: 'B', reference: '15.1' },
  { method: 'GET', path: '/api/task/', access: 'admin', spec: 'B', reference: '15.2' },
  { method: 'GET', path: '/api/task/self', access: 'user', spec: 'B', reference: '15.2' },
  { method: 'GET', path: '/api/limit/', access: 'user', spec: '', reference: '' },
  { method: 'GET', path: '/api/limit/status', access: 'user', spec: '', reference: '' },
  { method: 'GET', path: '/api/limit/learned', access: 'admin', spec: '', reference: '' },
  { method: 'PUT', path: '/api/limit/', access: 'user', spec: '', reference: '' },
  { method: 'DELETE', path: '/api/limit/:id', access: 'user', spec: '', reference: '' },
  { method: 'GET', path: '/api/group/', access: 'admin', spec: 'AB', reference: '16.1' },
  { method: 'GET', path: '/dashboard/billing/subscription', access: 'key', spec: '', reference: '17', anyOrigin: true },
  { method: 'GET', path: '/v1/dashboard/billing/subscription', access: 'key', spec: '', reference: '17', anyOrigin: true },
  { method: 'GET', path: '/dashboard/billing/usage', access: 'key', spec: '', reference: '17', anyOrigin: true },
  { method: 'GET', path: '/v1/dashboard/billing/usage', access: 'key', spec: '', reference: '17', anyOrigin: true },
  { method: 'POST', path: '/pg/chat/completions', access: 'user', spec: 'B', reference: '18' },
]

/** `GET /api/user/:id` for any spelling of a call: with its last slash or without, `{id}` or `:id`. */
export function nameOf({ method, path }: Pick<Call, 'path'> & { method: string }): string {
  const bare = path.replace(/\{[^}]+\}|:\w+/g, ':id').replace(/(.)\/$/, '$1')
  return `${method} ${bare}`
}

import type { CoverageRow } from './row.ts'

const BROWSER = 'tests/console/browser/wallet.test.ts'
const REDEEMED = `${BROWSER} › a redemption code › is added to the balance, and shows the amount`
const MISSING = `${BROWSER} › a redemption code › is required`
const BOUGHT = `${BROWSER} › a redemption code › can be bought at the link set by root`
const OFF = `${BROWSER} › online payment › shows that the administrator has not enabled it`
const ASKED = `${BROWSER} › online payment › shows the price of an amount, and rejects one below the minimum`
const PAID = `${BROWSER} › online payment › by %s is confirmed, paid in its own tab, and seen in the balance`

export const rows: CoverageRow[] = [
  { spec: 'B §2', line: 'Wallet: balance', test: REDEEMED },
  { spec: 'B §2', line: 'Wallet: redeem a code', test: REDEEMED },
  { spec: 'B §2', line: 'Wallet: online payment with two methods, zfb and wx', test: PAID },
  { spec: 'B §3', line: 'User self: quota, group', test: REDEEMED },
  { spec: 'B §3', line: 'Status: top_up_link', test: BOUGHT },
  { spec: 'B §3', line: 'Status: min_topup, enable_online_topup', test: ASKED },
  { spec: 'B §5', line: 'Empty code: 请输入兑换码！', test: MISSING },
  { spec: 'B §5', line: 'The top-up amount is raised to at least 1', test: ASKED },
  { spec: 'B §5', line: 'Amount below the minimum: 充值数量不能小于 and the minimum', test: ASKED },
  { spec: 'B §5', line: 'No payment link: 超级管理员未设置充值链接！', test: BOUGHT },
  { spec: 'B §5', line: 'Online payment off: 管理员未开启在线充值！', test: OFF },
  { spec: 'B §7', line: 'GET /api/user/self: quota', test: REDEEMED },
  { spec: 'B §7', line: 'POST /api/user/topup {key}: the quota added', test: REDEEMED },
  { spec: 'B §7', line: 'POST /api/user/amount {amount, top_up_code}: the amount to pay', test: ASKED },
  {
    spec: 'B §7',
    line: 'POST /api/user/pay {amount, top_up_code, payment_method}: url and parameters, submitted as a POST form',
    test: PAID,
  },
  {
    spec: 'B §8',
    line: 'Redeem request failure: 请求失败',
    test: `${BROWSER} › a redemption code › that could not be sent stays in the field`,
  },
  { spec: 'B §8', line: 'Amount lookup failure: 错误： and the message', test: ASKED },
  { spec: 'B §8', line: 'Invalid redemption code; This redemption code has been used', test: REDEEMED },
]

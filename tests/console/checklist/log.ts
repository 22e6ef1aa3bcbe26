import type { CoverageRow } from './row.ts'

const LOGS = 'tests/console/browser/logs.test.ts'
const ADMIN = `${LOGS} › the log of an administrator`
const FILTERS = `${LOGS} › the filters of the log`
const COMMON = `${LOGS} › the log of a common user`
const shows = `${ADMIN} › shows rows of all users, with users and channels, and how a price was computed`
const colours = `${ADMIN} › colors durations: a use time from 101 s and 300 s, a first token from 3 s and 10 s`
const popup = `${ADMIN} › opens the details of a user, or says why they are hidden`
const narrow = `${FILTERS} › apply to rows and statistics alike, and are in the URL`
const range = `${FILTERS} › show the last three days unless another range is chosen, to the second`
const own = `${COMMON} › has only the user's rows, by the user's calls, without administrator columns`
const pages = `${LOGS} › many rows › have pages with a stored size; an export has all pages`
const PRICE = 'tests/console/pages/logs/price.test.ts'

export const rows: CoverageRow[] = [
  { spec: 'B §2', line: 'Log page: filters', test: narrow },
  { spec: 'B §2', line: 'Log page: statistics badges of quota, RPM and TPM', test: shows },
  { spec: 'B §2', line: 'Log page: expandable rows', test: shows },
  { spec: 'B §3', line: 'Log: time, channel, channel name, user, token, model, group, counts, quota', test: shows },
  { spec: 'B §3', line: 'Log: use_time, is_stream and frt of other', test: colours },
  {
    spec: 'B §3',
    line: 'Log: other may be missing, old or broken',
    test: 'tests/console/pages/logs/log-details.test.ts › details of a log row',
  },
  {
    spec: 'B §3',
    line: 'Log: model_ratio, model_price, group_ratio, completion_ratio and audio fields make the price',
    test: `${PRICE} › a price shown for tokens of every kind is what the gateway charges`,
  },
  { spec: 'B §3', line: 'Log: reasoning_effort and admin_info.use_channel (渠道：1->2)', test: shows },
  { spec: 'B §4', line: 'Log type: 1 充值, 2 消费, 3 管理, 4 系统', test: narrow },
  { spec: 'B §6', line: 'Administrators alone: channel, user and retry columns', test: own },
  { spec: 'B §6', line: 'Administrators alone: channel and username filters', test: own },
  { spec: 'B §6', line: 'Administrators alone: statistics with username and channel', test: narrow },
  { spec: 'B §6', line: 'Administrators alone: a popup of the user from a row', test: popup },
  { spec: 'B §6', line: 'Common users use the self calls of log and statistics', test: own },
  { spec: 'B §7', line: 'GET /api/user/{id}: username, quota, used_quota, request_count', test: popup },
  {
    spec: 'B §7',
    line: 'GET /api/log/ with p, page_size, type, username, token_name, model_name, channel, group',
    test: narrow,
  },
  { spec: 'B §7', line: 'GET /api/log/ with start_timestamp and end_timestamp', test: range },
  { spec: 'B §7', line: 'GET /api/log/stat: quota, rpm, tpm', test: narrow },
  { spec: 'B §8', line: 'success false: the server’s message as a toast', test: popup },
  { spec: 'B §9', line: 'Page sizes 10, 20, 50, 100; the chosen one is kept', test: pages },
  { spec: 'B §9', line: 'Use time under 101 s green, under 300 s orange, else red', test: colours },
  { spec: 'B §9', line: 'First token under 3 s green, under 10 s orange, else red', test: colours },
  {
    spec: 'B §9',
    line: 'Price per 1M tokens: ratio × 2 × group ratio; times completion ratio',
    test: `${PRICE} › a ratio of 1 is 2 dollars for a million prompt tokens`,
  },
  { spec: 'B §9', line: 'The log shows the last 3 days in one view', test: range },
  {
    spec: 'A §8',
    line: 'HTTP 500: 错误：服务器内部错误，请联系管理员！',
    test: `${LOGS} › a log that fails to load says so and can be retried`,
  },
]

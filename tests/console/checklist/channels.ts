import type { CoverageRow } from './row.ts'

const LIST = 'tests/console/browser/channels.test.ts › the list of channels'
const NUMBERS =
  'tests/console/browser/channels.test.ts › priority and weight › are saved on Enter or blur, within their bounds, and reverted if rejected'
const ACTS = 'tests/console/browser/channel-actions.test.ts'
const SHOWS = `${LIST} › shows an administrator the state of each channel`
const FILTERED = `${LIST} › is filtered and sorted by its URL`
const DRAWERS = `${LIST} › stays unchanged below the drawers, whose URLs can be kept`
const PAGES = `${LIST} › requests one page at a time`
const TELEPHONE = `${LIST} › says how to add the first channel, and fits a phone`
const TESTED = `${ACTS} › one channel › is tested with its own model, or with one from a menu usable by keyboard`
const BALANCE = `${ACTS} › one channel › refreshes its balance on a click`
const SWITCHED = `${ACTS} › one channel › is toggled immediately, and reverted if the server rejects it`
const COPIED = `${ACTS} › one channel › is copied with its key, or shows why not`
const DELETED = `${ACTS} › one channel › is deleted after confirmation`
const ALL = `${ACTS} › all channels › are tested, queried for balances, repaired, and pruned, each after confirmation`
const BATCH = `${ACTS} › in batch mode › nothing happens without a selection, and the selected are tagged, toggled and deleted`
const TAGS = `${ACTS} › in tag mode › the channels of a tag are listed below it, and are toggled, numbered, edited and selected together`

/** The channel screen without its drawers. */
export const rows: CoverageRow[] = [
  { spec: 'B §2', line: '/channel: channel list, behind the login', test: SHOWS },
  { spec: 'B §2', line: '/channel/add and /channel/edit/{id} open the form over the list', test: DRAWERS },
  { spec: 'B §2', line: 'Search by keyword, model and group', test: FILTERED },
  { spec: 'B §2', line: 'Toggle: sort by ID', test: FILTERED },
  { spec: 'B §2', line: 'Toggle: batch mode', test: BATCH },
  { spec: 'B §2', line: 'Toggle: tag-aggregate mode', test: TAGS },
  { spec: 'B §2', line: 'Button: add', test: DRAWERS },
  { spec: 'B §2', line: 'Button: test all', test: ALL },
  { spec: 'B §2', line: 'Button: update all balances', test: ALL },
  { spec: 'B §2', line: 'Button: delete disabled', test: ALL },
  { spec: 'B §2', line: 'Button: refresh', test: TELEPHONE },
  { spec: 'B §2', line: 'Button: delete selected', test: BATCH },
  { spec: 'B §2', line: 'Button: fix database consistency (修复数据库一致性)', test: ALL },
  { spec: 'B §2', line: 'Button: batch tag', test: BATCH },
  { spec: 'B §2', line: 'Row: test menu by model', test: TESTED },
  { spec: 'B §2', line: 'Row: delete', test: DELETED },
  { spec: 'B §2', line: 'Row: enable or disable', test: SWITCHED },
  { spec: 'B §2', line: 'Row: edit', test: DRAWERS },
  { spec: 'B §2', line: 'Row: copy', test: COPIED },
  { spec: 'B §2', line: 'Disabled rows are greyed', test: SHOWS },
  { spec: 'B §2', line: 'Tag rows: 启用全部, 禁用全部, edit', test: TAGS },
  {
    spec: 'B §3',
    line: 'Channel as listed: id, name, type, group (comma list), tag, priority, weight, status, response_time, used_quota, balance, test_time, balance_updated_time',
    test: SHOWS,
  },
  { spec: 'B §3', line: 'other_info: status_reason and status_time', test: SHOWS },
  { spec: 'B §4', line: 'Status 1 已启用, 2 已禁用, 3 自动禁用', test: SHOWS },
  { spec: 'B §4', line: 'Auto-disabled: tooltip with reason and time', test: SHOWS },
  { spec: 'B §4', line: 'The user sets enabled or disabled by an update call', test: SWITCHED },
  { spec: 'B §4', line: 'Response time: 0 未测试; to 1 s green, to 3 s lime, to 5 s yellow, above red', test: SHOWS },
  { spec: 'B §5', line: 'Row priority at least -999', test: NUMBERS },
  { spec: 'B §5', line: 'Row weight at least 0; a negative one is sent as 0', test: NUMBERS },
  { spec: 'B §5', line: 'An empty priority or weight sends nothing', test: NUMBERS },
  { spec: 'B §5', line: 'Batch tag, nothing selected: 请先选择要设置标签的渠道！', test: BATCH },
  { spec: 'B §5', line: 'Batch tag, empty tag: 标签不能为空！', test: BATCH },
  { spec: 'B §5', line: 'Batch delete, nothing selected: 请先选择要删除的通道！', test: BATCH },
  {
    spec: 'B §6',
    line: 'Channels are for administrators alone',
    test: 'tests/console/browser/every-screen.test.ts › a common user › sees on administrator screens that access is denied',
  },
  {
    spec: 'B §7',
    line: 'GET /api/channel/?p&page_size&id_sort&tag_mode',
    test: 'not built: the list has no total; GET /api/channel/page answers the same channels with one, see the next line',
  },
  { spec: 'B §7', line: 'A page of the list: p, page_size, id_sort, and how many there are', test: PAGES },
  { spec: 'B §7', line: 'The list by tags: tag_mode', test: TAGS },
  {
    spec: 'B §7',
    line: 'GET /api/channel/search?keyword&group&model&id_sort&tag_mode',
    test: 'not built: it answers all that it finds at once; GET /api/channel/page takes the same filters and answers a page',
  },
  { spec: 'B §7', line: 'Filters keyword, group and model are sent', test: FILTERED },
  {
    spec: 'B §7',
    line: 'POST /api/channel/ for a copy',
    test: 'not built: the page never has the key; POST /api/channel/:id/copy copies it, too',
  },
  { spec: 'B §7', line: 'PUT /api/channel/ {id, status}', test: SWITCHED },
  { spec: 'B §7', line: 'PUT /api/channel/ {id, priority} and {id, weight}', test: NUMBERS },
  { spec: 'B §7', line: 'DELETE /api/channel/{id}', test: DELETED },
  { spec: 'B §7', line: 'GET /api/channel/test/{id}?model: the page reads time', test: TESTED },
  { spec: 'B §7', line: 'GET /api/channel/test: all', test: ALL },
  { spec: 'B §7', line: 'GET /api/channel/update_balance/{id}: the new balance is shown', test: BALANCE },
  { spec: 'B §7', line: 'GET /api/channel/update_balance: all', test: ALL },
  { spec: 'B §7', line: 'DELETE /api/channel/disabled: the count is told', test: ALL },
  { spec: 'B §7', line: 'POST /api/channel/batch {ids}: the count is told', test: BATCH },
  { spec: 'B §7', line: 'POST /api/channel/fix: the count is told', test: ALL },
  { spec: 'B §7', line: 'PUT /api/channel/tag with priority or weight, from the row of a tag', test: TAGS },
  { spec: 'B §7', line: 'POST /api/channel/tag/enabled and disabled {tag}', test: TAGS },
  { spec: 'B §7', line: 'POST /api/channel/batch/tag {ids, tag}', test: BATCH },
  { spec: 'B §7', line: 'GET /api/channel/models: names to filter by', test: FILTERED },
  { spec: 'B §8', line: 'success false: the message of the server as an error toast', test: BALANCE },
  { spec: 'B §8', line: 'Copy of a channel that is gone: 渠道未找到，请刷新页面后重试。', test: COPIED },
  { spec: 'B §8', line: 'Copy failure: 渠道复制失败', test: COPIED },
  { spec: 'B §9', line: 'Page sizes 10, 20, 50, 100, kept locally', test: PAGES },
  { spec: 'B §9', line: 'Midjourney and Suno channels are tested with fixed lists of models', test: TESTED },
]

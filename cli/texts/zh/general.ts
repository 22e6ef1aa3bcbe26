import type { Catalogue } from '../../texts.ts'

/** Messages that all commands share. */
export const general: Catalogue = {
  'Page {0} of {1}, {2} total. Next: --page {3}': '第 {0} 页，共 {1} 页，总计 {2} 条。下一页：--page {3}',
  'Page {0} is empty: the last page is {1}, {2} total.': '第 {0} 页为空：最后一页是第 {1} 页，总计 {2} 条。',
  'Page {0} of {1}, {2} total.': '第 {0} 页，共 {1} 页，总计 {2} 条。',
  'Wrote {0} rows to {1}.': '已将 {0} 行写入 {1}。',
  'no terminal for prompts: pass every answer as a flag': '没有可供询问的终端：请用参数给出每个答案',
  'no terminal for confirmation: pass --yes': '没有可供询问的终端：请用 --yes 确认',
  'continue after errors (default: all or none)': '能做的照做，并说明做不了的（默认：要么全做，要么全不做）',
  'Deleted token {0}, {1}.': '已删除令牌 {0}（{1}）。',
  'Deleted code {0}.': '已删除兑换码 {0}。',
  'nothing was changed': '未做任何更改',
  'It may have succeeded. To retry without repeating it, add --idempotency-key {0} to the command.':
    '可能已经完成。在同一命令后加上 --idempotency-key {0} 再次运行，不会重复执行。',
  'It may have succeeded. Running the same command again does not repeat it.':
    '可能已经完成。再次运行同一命令，不会重复执行。',
  '{0} equals {1} quota: pass {2} to {3}': '{0} 相当于 {1} 额度：请给出 {2} 至 {3}',
  "Expected a whole number from {0} to {1}, or an amount such as 5m, '$1' or 1.50usd.":
    "请给出 {0} 至 {1} 的整数，或 5m、'$1'、1.50usd 这样的数额。",
}

import type { Catalogue } from '../../texts.ts'

/** Redemption codes. */
export const redemptionTexts: Catalogue = {
  'Codes that turn into quota': '可兑换额度的兑换码',
  'Make codes that turn into quota; prints one a line': '生成兑换码；每行输出一个',
  'how many, up to 100000': '数量，最多 100000',
  'make them once, however often the command is run: the same key answers the same codes, and goes on where it stopped':
    '无论命令运行多少次都只生成一次：同一个键得到同样的兑换码，并从中断处继续',
  "what each is worth, such as 500000 or '$1'": "每个兑换码的额度，如 500000 或 '$1'",
  'what you will know them by, up to 20 characters (default: their worth)':
    '便于辨认的名称，最多 20 个字符（默认：其额度）',
  'write them to this new file, which only you can read': '写入这个新文件，仅你可读',
  'Delete redemption codes for good; quota that was redeemed stays': '永久删除兑换码；已兑换的额度不受影响',
  'all codes of exactly this name, instead of numbers': '名称完全相同的所有兑换码，代替编号',
  'number of the code': '兑换码编号',
  'numbers of the codes': '兑换码编号，可多个',
  'Refuse unused redemption codes until they are enabled again': '禁用未使用的兑换码，直到重新启用',
  'Let disabled redemption codes be redeemed again': '重新启用已禁用的兑换码',
  'Write redemption codes out, oldest first: one a line, as CSV or as JSON':
    '导出兑换码，最早的在前：每行一个、CSV 或 JSON',
  'only codes of exactly this name': '仅名称完全相同的兑换码',
  'only names that start with this, or the code of this number': '仅名称以此开头的，或此编号的兑换码',
  'txt, csv or json (default: by the ending of --output, else txt)':
    'txt、csv 或 json（默认：按 --output 的扩展名，否则 txt）',
  'unused, disabled, used or all': 'unused（未使用）、disabled（已禁用）、used（已使用）或 all（全部）',
  'unused, disabled or used': 'unused（未使用）、disabled（已禁用）或 used（已使用）',
  'write them to this new file, which only you can read (default: to stdout)':
    '写入这个新文件，仅你可读（默认：标准输出）',
  'Show one redemption code': '显示一个兑换码',
  'List redemption codes, newest first': '列出兑换码，最新的在前',
  'Change an unused redemption code': '修改未使用的兑换码',
  "what it is worth, such as 500000 or '$1' (default: as it is)": "额度，如 500000 或 '$1'（默认：保持不变）",
  'what you will know it by, up to 20 characters (default: as it is)':
    '便于辨认的名称，最多 20 个字符（默认：保持不变）',
  'Making codes': '正在生成兑换码',
  Reading: '正在读取',
  'Wrote {0} codes to {1}.': '已将 {0} 个兑换码写入 {1}。',
  '{0} of {1} codes were made.': '已生成 {0} 个兑换码，共 {1} 个。',
  '{0} of {1} codes were made, and are in {2}.': '已生成 {0} 个兑换码（共 {1} 个），保存在 {2} 中。',
  'At least {0} of {1} codes were made.': '至少已生成 {0} 个兑换码，共 {1} 个。',
  'At least {0} of {1} codes were made, and those are in {2}.':
    '至少已生成 {0} 个兑换码（共 {1} 个），这些保存在 {2} 中。',
  'Of the codes that this key has made, {0} are used, {1} are disabled and {2} are deleted.':
    '该幂等键已生成的兑换码中，{0} 个已使用，{1} 个已禁用，{2} 个已删除。',
  'The same command again makes the rest, and none twice.': '再次运行同一命令即可生成其余的，不会重复生成。',
  'The same command with --idempotency-key {0} makes the rest, and none twice.':
    '在同一命令后加上 --idempotency-key {0} 即可生成其余的，不会重复生成。',
  'interrupted: {0}': '已中断：{0}',
  'interrupted: nothing was written': '已中断：没有写入任何内容',
  '{0} exists already, and has not the codes of this request: give another --output':
    '{0} 已存在，且其内容不是本次请求的兑换码：请换一个 --output',
  'cannot write the --output file: {0}': '无法写入 --output 文件：{0}',
  'No codes. Make some with: tollgate redemption create --quota 500000 --count 10':
    '没有兑换码。生成：tollgate redemption create --quota 500000 --count 10',
  'No such codes.': '没有这样的兑换码。',
  'give --name or --quota: what to change': '请给出 --name 或 --quota：要修改的内容',
  'Code {0}, {1}, is changed.': '兑换码 {0}（{1}）已修改。',
  'Code {0}, {1}, can be redeemed.': '兑换码 {0}（{1}）可以兑换。',
  'Code {0}, {1}, is disabled.': '兑换码 {0}（{1}）已禁用。',
  'give either numbers or --name': '编号与 --name 只能给一个，也必须给一个',
  'Delete all {0} codes named {1}?': '删除名为 {1} 的全部 {0} 个兑换码？',
  'Deleted {0} codes named {1}.': '已删除 {0} 个名为 {1} 的兑换码。',
  'Delete {0} codes: {1}?': '删除 {0} 个兑换码：{1}？',
  'Give 1 to {0} characters of ASCII.': '请给出 1 到 {0} 个 ASCII 字符。',
  code: '兑换码',
  quota: '额度',
  redeemed: '兑换时间',
  'by user': '兑换用户',
}

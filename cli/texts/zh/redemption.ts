import type { Catalogue } from '../../texts.ts'

/** Redemption codes. */
export const redemptionTexts: Catalogue = {
  'Redemption codes for quota': '可兑换额度的兑换码',
  'Create redemption codes; prints one per line': '生成兑换码；每行输出一个',
  'number of codes, up to 100000': '数量，最多 100000',
  'create the codes only once: the same key returns the same codes, and continues after an interruption':
    '无论命令运行多少次都只生成一次：同一个键得到同样的兑换码，并从中断处继续',
  "quota of each code, such as 500000 or '$1'": "每个兑换码的额度，如 500000 或 '$1'",
  'name of the codes, up to 20 characters (default: their quota)': '便于辨认的名称，最多 20 个字符（默认：其额度）',
  'new file for the codes, readable only by you': '写入这个新文件，仅你可读',
  'Delete redemption codes permanently; redeemed quota stays': '永久删除兑换码；已兑换的额度不受影响',
  'all codes with exactly this name, instead of IDs': '名称完全相同的所有兑换码，代替编号',
  'code ID': '兑换码编号',
  'code IDs': '兑换码编号，可多个',
  'Disable unused redemption codes': '禁用未使用的兑换码',
  'Enable disabled redemption codes': '重新启用已禁用的兑换码',
  'Export redemption codes, oldest first: one per line, as CSV or as JSON':
    '导出兑换码，最早的在前：每行一个、CSV 或 JSON',
  'filter by exact name': '仅名称完全相同的兑换码',
  'filter by the start of the name, or by ID': '仅名称以此开头的，或此编号的兑换码',
  'txt, csv or json (default: by the extension of --output, else txt)':
    'txt、csv 或 json（默认：按 --output 的扩展名，否则 txt）',
  'filter by status: unused, disabled, used or all':
    'unused（未使用）、disabled（已禁用）、used（已使用）或 all（全部）',
  'filter by status: unused, disabled or used': 'unused（未使用）、disabled（已禁用）或 used（已使用）',
  'new file for the codes, readable only by you (default: stdout)': '写入这个新文件，仅你可读（默认：标准输出）',
  'Show one redemption code': '显示一个兑换码',
  'List redemption codes, newest first': '列出兑换码，最新的在前',
  'Update an unused redemption code': '修改未使用的兑换码',
  "quota, such as 500000 or '$1' (default: unchanged)": "额度，如 500000 或 '$1'（默认：保持不变）",
  'name, up to 20 characters (default: unchanged)': '便于辨认的名称，最多 20 个字符（默认：保持不变）',
  'Creating codes': '正在生成兑换码',
  Reading: '正在读取',
  'Wrote {0} codes to {1}.': '已将 {0} 个兑换码写入 {1}。',
  '{0} of {1} codes created.': '已生成 {0} 个兑换码，共 {1} 个。',
  '{0} of {1} codes created, written to {2}.': '已生成 {0} 个兑换码（共 {1} 个），保存在 {2} 中。',
  'At least {0} of {1} codes created.': '至少已生成 {0} 个兑换码，共 {1} 个。',
  'At least {0} of {1} codes created, written to {2}.': '至少已生成 {0} 个兑换码（共 {1} 个），这些保存在 {2} 中。',
  'Of the codes created with this key, {0} are used, {1} are disabled and {2} are deleted.':
    '该幂等键已生成的兑换码中，{0} 个已使用，{1} 个已禁用，{2} 个已删除。',
  'To create the rest, run the same command again: no code is created twice.':
    '再次运行同一命令即可生成其余的，不会重复生成。',
  'To create the rest, add --idempotency-key {0} to the command: no code is created twice.':
    '在同一命令后加上 --idempotency-key {0} 即可生成其余的，不会重复生成。',
  'interrupted: {0}': '已中断：{0}',
  'interrupted: nothing was written': '已中断：没有写入任何内容',
  '{0} already exists and does not contain these codes: pass another --output':
    '{0} 已存在，且其内容不是本次请求的兑换码：请换一个 --output',
  'cannot write the --output file: {0}': '无法写入 --output 文件：{0}',
  'No codes. Create some: tollgate redemption create --quota 500000 --count 10':
    '没有兑换码。生成：tollgate redemption create --quota 500000 --count 10',
  'No matching codes.': '没有这样的兑换码。',
  'nothing to change: pass --name or --quota': '请给出 --name 或 --quota：要修改的内容',
  'Updated code {0}, {1}.': '兑换码 {0}（{1}）已修改。',
  'Enabled code {0}, {1}.': '已启用兑换码 {0}（{1}）。',
  'Disabled code {0}, {1}.': '兑换码 {0}（{1}）已禁用。',
  'pass either code IDs or --name': '编号与 --name 只能给一个，也必须给一个',
  'Delete all {0} codes named {1}?': '删除名为 {1} 的全部 {0} 个兑换码？',
  'Deleted {0} codes named {1}.': '已删除 {0} 个名为 {1} 的兑换码。',
  'Delete {0} codes: {1}?': '删除 {0} 个兑换码：{1}？',
  'Expected 1 to {0} ASCII characters.': '请给出 1 到 {0} 个 ASCII 字符。',
  code: '兑换码',
  quota: '额度',
  redeemed: '兑换时间',
  'by user': '兑换用户',
}

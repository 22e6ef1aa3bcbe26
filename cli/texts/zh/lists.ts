import type { Catalogue } from '../../texts.ts'

/** Lists, the files they are written to, and what needs the database itself. */
export const lists: Catalogue = {
  'this command needs the database itself, not {0}: run it on that machine, or pass --profile local':
    '此命令直接操作数据库，不能通过 {0} 执行：请在那台机器上运行，或给出 --profile local',
  Reading: '正在读取',
  'page number': '显示的页',
  'rows per page': '每页行数',
  'all pages': '所有页',
  'columns to show, in order, by title or field name, separated by commas':
    '仅这些列，按此顺序：列标题或字段名，以逗号分隔',
  'sort the shown rows by this column; -column for descending order': '按此列排序所显示的行；-列名 表示倒序',
  'write to a new file: .csv, .json, .jsonl, or a table': '写入此新文件：.csv、.json、.jsonl，或表格',
  '--columns: unknown column {0}; choose from {1}': '--columns：没有名为 {0} 的列；可用的列：{1}',
  '--sort: unknown column {0}; choose from {1}': '--sort：没有名为 {0} 的列；可用的列：{1}',
  '{0} does not accept -: omit {1} to write to stdout': '- 不能作为 {0} 的文件：不给 {1} 即写到标准输出',
  '{0} already exists: pass another {1}': '{0} 已存在：请给出另一个 {1}',
  'cannot write the {0} file: {1}': '无法写入 {0} 文件：{1}',
  'with --output: replace an existing file': '与 --output 一起：文件存在时替换它',
  'replace an existing file': '文件存在时替换它',
}

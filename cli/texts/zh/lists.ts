import type { Catalogue } from '../../texts.ts'

/** Lists, the files they are written to, and what needs the database itself. */
export const lists: Catalogue = {
  'this works on the database itself, not through {0}: run it on that machine, or give --profile local':
    '此命令直接操作数据库，不能通过 {0} 执行：请在那台机器上运行，或给出 --profile local',
  Reading: '正在读取',
  'page to show': '显示的页',
  'rows of a page': '每页行数',
  'all pages': '所有页',
  'only these, in this order: titles of columns or names of fields, separated by commas':
    '仅这些列，按此顺序：列标题或字段名，以逗号分隔',
  'order the rows that are shown by this column; -column for the other way round':
    '按此列排序所显示的行；-列名 表示倒序',
  'write to this new file: .csv, .json, .jsonl, or a table': '写入此新文件：.csv、.json、.jsonl，或表格',
  '--columns: there is no column named {0}; there are {1}': '--columns：没有名为 {0} 的列；可用的列：{1}',
  '--sort: there is no column named {0}; there are {1}': '--sort：没有名为 {0} 的列；可用的列：{1}',
  '- is no file for {0}: without {1} it goes to stdout': '- 不能作为 {0} 的文件：不给 {1} 即写到标准输出',
  '{0} exists already: give another {1}': '{0} 已存在：请给出另一个 {1}',
  'cannot write the {0} file: {1}': '无法写入 {0} 文件：{1}',
  'with --output: replace the file if it exists': '与 --output 一起：文件存在时替换它',
  'replace the file if it exists': '文件存在时替换它',
}

import type { Catalogue } from '../../texts.ts'

/** Lists, the files they are written to, and what needs the database itself. */
export const lists: Catalogue = {
  'this works on the database itself, not through {0}: run it on that machine, or give --profile local':
    '此命令直接操作数据库，不能通过 {0} 执行：请在那台机器上运行，或给出 --profile local',
  Reading: '正在读取',
  '--columns: there is no column named {0}; there are {1}': '--columns：没有名为 {0} 的列；可用的列：{1}',
  '--sort: there is no column named {0}; there are {1}': '--sort：没有名为 {0} 的列；可用的列：{1}',
  '{0} exists already: give another --output': '{0} 已存在：请给出另一个 --output',
  'cannot write the --output file: {0}': '无法写入 --output 文件：{0}',
}

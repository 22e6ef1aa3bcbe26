import type { Catalogue } from '../../texts.ts'

/** Commander's own messages, and sentences that the program builds from them. */
export const commander: Catalogue = {
  "unknown option '{0}'": '未知选项“{0}”',
  "unknown option '{0}' (Did you mean {1}?)": '未知选项“{0}”（您是否想用 {1}？）',
  "missing required argument '{0}'": '缺少必需的参数“{0}”',
  "option '{0}' argument missing": '选项“{0}”缺少值',
  "required option '{0}' not specified": '未给出必需的选项“{0}”',
  "option '{0}' cannot be used with option '{1}'": '选项“{0}”不能与选项“{1}”同时使用',
  'too many arguments. Expected {0} arguments but got {1}.': '参数过多：应为 {0} 个，实为 {1} 个。',
  "too many arguments for '{0}'. Expected {1} argument but got {2}.": '“{0}”的参数过多：应为 {1} 个，实为 {2} 个。',
  "too many arguments for '{0}'. Expected {1} arguments but got {2}.": '“{0}”的参数过多：应为 {1} 个，实为 {2} 个。',
  "option '{0}' argument '{1}' is invalid. {2}": '选项“{0}”的值“{1}”无效。{2}',
  "command-argument value '{0}' is invalid for argument '{1}'. {2}": '参数“{1}”的值“{0}”无效。{2}',
  'Allowed choices are {0}.': '可选值：{0}。',
  'Allowed choices are {0}. (Did you mean {1}?)': '可选值：{0}。（您是否想用 {1}？）',
  'Expected {0}.': '请给出{0}。',
  'a duration such as 30m, 12h or 7d, or a date such as 2026-01-31 or 2026-01-31T18:00':
    '时长（如 30m、12h、7d）或日期（如 2026-01-31、2026-01-31T18:00）',
  'never, a duration such as 30m, 12h or 7d, or a date such as 2026-01-31 or 2026-01-31T18:00':
    ' never、时长（如 30m、12h、7d）或日期（如 2026-01-31、2026-01-31T18:00）',
  "{0} must be one of {1}, not '{2}' (Did you mean {3}?)": '{0} 必须是 {1} 之一，而不是“{2}”（您是否想用 {3}？）',
}

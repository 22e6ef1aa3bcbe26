import type { Catalogue } from '../../texts.ts'

/** The program itself: its help, and what it says about a command line that it does not understand. */
export const program: Catalogue = {
  'An AI model gateway: one address for many providers, with users, API keys and exact accounting.':
    'AI 模型网关：一个地址接入众多供应商，带用户、API 密钥和精确的账目。',
  'print one JSON document': '输出一个 JSON 文档',
  'gateway to use, as the user of TOLLGATE_TOKEN or tollgate login':
    '要访问的网关；身份取自 TOLLGATE_TOKEN 或 tollgate login',
  'profile to use, by name; local is the database on this machine': '以此名称登录的网关；local 表示本机的数据库',
  'database to use: sqlite:PATH or postgres://…': '要使用的数据库：sqlite:路径 或 postgres://…',
  'settings file (default: ./tollgate.yaml, if it exists)': '设置文件（默认：./tollgate.yaml，若存在）',
  'print without color': '输出不带颜色',
  'fail instead of waiting when a gateway asks to wait': '网关要求等待时立即失败，而不是等待',
  'language of texts (default: by LANG)': '文字的语言（默认：由 LANG 决定）',
  'print the version': '输出版本号',
  'print this help': '输出本帮助',
  'First steps on this machine:': '第一步，在本机：',
  'First steps with a remote gateway:': '第一步，使用运行在别处的网关：',
  'Example: {0}': '示例：{0}',
  'Examples:': '示例：',
  'For details: tollgate help <command>. Exit codes, JSON and environment: docs/cli.md, and man tollgate.':
    'tollgate help <命令> 逐一说明。退出码、JSON 与环境变量见 docs/cli.md 和 man tollgate。',
  '--json, --server and other options of every command: {0}': '--json、--server 等所有命令通用的选项：{0}',
  'Usage:': '用法：',
  'Arguments:': '参数：',
  'Commands:': '命令：',
  'Options:': '选项：',
  'Global options:': '全局选项：',
  'Run:': '运行：',
  'Manage:': '管理：',
  'Inspect:': '查看：',
  command: '命令',
  options: '选项',
  '(required)': '（必填）',
  '(one of {0})': '（可选值：{0}）',
  '(default: {0})': '（默认：{0}）',

  "unknown command '{0}'. See: {1} --help": '未知命令“{0}”。请看：{1} --help',
  "unknown command '{0}'. Did you mean: {1} {2}": '未知命令“{0}”。您是否想用：{1} {2}',
  '{0} does not accept --{1}: omit it': '{0} 用不到 --{1}：请去掉它',
  '{0} needs a value, not {1} (pass a value that starts with -- as {2}=…)':
    '{0} 需要一个值，而不是 {1}（以 -- 开头的值请写成 {2}=…）',
  'Expected a whole number from {0} to {1}.': '请给出 {0} 到 {1} 之间的整数。',
  'Expected a time in the future.': '该时间已经过去。',
  "{0} must be one of {1}, not '{2}'": '{0} 必须是 {1} 之一，而不是“{2}”',
  'interrupted: {0} of {1} done': '已中断：共 {1} 项，已完成 {0} 项',
  'interrupted: at least {0} of {1} done': '已中断：共 {1} 项，至少已完成 {0} 项',
  'Succeeded, but reading the result failed: {0}': '已完成，但重新读取失败：{0}',
  'interrupted: nothing was changed': '已中断，未做任何更改',
  'unexpected: {0}': '意外错误：{0}',

  'Print a completion script for your shell': '让 shell 在按 Tab 时补全命令',
  'your shell': '您的 shell',
  'To enable it permanently, with tollgate in your PATH:': '长期启用（tollgate 须在 PATH 中）：',
  'Completes commands, options, choices, profiles, option keys and channel types, without calling a gateway.':
    '可补全命令、选项、可选值、配置名、选项键和渠道类型，不访问任何网关。',
  'print JSON with only these fields, separated by commas': '输出只含这些字段的 JSON，以逗号分隔',
  'filter the JSON by this jq program; prints strings without quotes': '输出此 jq 程序处理 JSON 的结果；文本不带引号',
  "print one line per record, such as '{{id}} {{name}}'; \\t is a tab":
    "每条记录输出一行，例如 '{{id}} {{name}}'；\\t 为制表符",
  'print lists in JSON as {items, total, page, page_size}': '所有列表的 JSON 均输出为 {items, total, page, page_size}',
  '--fields needs at least one field': '--fields 没有给出字段',
  "{0}: unknown field '{1}' (Did you mean {2}?)": '{0}：没有字段 "{1}"（是否指 {2}？）',
  "{0}: unknown field '{1}'. Choose from {2}": '{0}：没有字段 "{1}"。可用字段：{2}',
  '--jq: {0}': '--jq：{0}',
  'pass either --output or --{0}, not both': '--output 与 --{0} 只能给出一个',
  'pass either --jq or --template, not both': '--jq 与 --template 只能给出一个',
}

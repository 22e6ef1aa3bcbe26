import type { Catalogue } from '../../texts.ts'

/** serve, init and demo. */
export const runTexts: Catalogue = {
  'Run the gateway: API and web console': '运行网关：API 与网页控制台',
  'port to listen on (default: 3000)': '监听端口（默认：3000）',
  'address to listen on (default: 0.0.0.0, all addresses)': '监听地址（默认：0.0.0.0，即全部）',
  'processes on this machine; auto = one per core (default: 1)': '本机的进程数；auto 为每核一个（默认：1）',
  'Tollgate is running.': 'Tollgate 正在运行。',
  Console: '控制台',
  'Listening on': '监听',
  '{0}, all addresses of this machine (local only: --host 127.0.0.1)':
    '{0}，本机的所有地址（仅限本机访问：--host 127.0.0.1）',
  API: 'API',
  'Sign in': '登录',
  '{0} with the password {1} (shown only once)': '{0}，密码 {1}（仅显示这一次）',
  'Stop it with Ctrl-C.': '按 Ctrl-C 停止。',

  'Try Tollgate: a temporary gateway with a simulated provider': '试用：带模拟供应商的一次性网关',
  'port to listen on (default: 3000, or any free port)': '监听端口（默认：3000，或任一空闲端口）',
  'address to listen on': '监听地址',
  'Answers are simulated and free; no request leaves this machine. Ctrl-C ends it and deletes its data.':
    '回答均为模拟，不产生费用，任何请求都不会离开本机。按 Ctrl-C 结束，不留任何痕迹。',
  'A Tollgate demo is running. Its answers are simulated.': 'Tollgate 演示正在运行，回答均为模拟。',
  '{0} with the password {1}': '{0}，密码 {1}',
  '(or as a customer: {0} with the same password)': '（或以客户身份：{0}，密码相同）',
  'API key': 'API 密钥',
  'Try it:': '试一试：',
  'Inspect it from another terminal:': '在另一个终端中查看：',
  'Stop it with Ctrl-C; its data is deleted.': '按 Ctrl-C 停止，不留任何痕迹。',

  'Set up: password, first channel, first API key': '初始设置：密码、第一个渠道、第一个 API 密钥',
  'password of the root user, 8 to 128 characters (else ROOT_PASSWORD)':
    '用户 root 的密码，8 到 128 个字符；否则用 ROOT_PASSWORD',
  'provider of the first channel, name or number, such as openai': '第一个渠道的供应商，名称或编号，如 openai',
  'its key': '其密钥',
  'read the key from stdin, which keeps it out of the process list': '从标准输入读取密钥，使其不出现在进程列表中',
  'pass either --channel-key or --channel-key-stdin, not both': '--channel-key 与 --channel-key-stdin 只能给出一个',
  '{0} with your password': '{0}，用您的密码',
  "its name (default: the provider's)": '其名称（默认：供应商名称）',
  "its base URL without /v1 (default: the provider's)": '其地址，不含 /v1（默认：供应商自己的地址）',
  'models to serve, separated by commas (default: the common models of the provider)':
    '提供的模型，以逗号分隔（默认：供应商的常用模型）',
  'add no channel': '不添加渠道',
  'name of the first API key': '第一个 API 密钥的名称',
  'create no API key': '不创建 API 密钥',
  'No provider account? tollgate demo --port 3900 simulates one; use its API key:':
    '没有供应商账户？tollgate demo --port 3900 可以扮演一个，使用它的 API 密钥：',
  'With --port 3900 and its API key, it can be the provider of your own gateway:':
    '使用 --port 3900 和它的 API 密钥，它可以充当您自己网关的供应商：',
  'On a terminal, prompts for missing values. Nothing is written before the last answer.':
    '在终端上会询问未给出的内容。回答完最后一个问题之前不写入任何内容。',
  'no terminal for prompts: pass {0}': '没有可供询问的终端。请给出 {0}',
  'Password of the root user (leave empty to generate one)': '用户 root 的密码（留空则自动生成）',
  'Repeat the password': '再次输入密码',
  'The passwords differ.': '两次输入不一致。',
  'Add a first channel, a provider account, now?': '现在添加第一个渠道（供应商账号）吗？',
  'Its base URL, without /v1': '其地址，不含 /v1',
  'Models to serve, separated by commas (leave empty for the {0} common ones)':
    '提供的模型，以逗号分隔（留空则用 {0} 个常用模型）',
  'Models to serve, separated by commas': '提供的模型，以逗号分隔',
  'Channel name': '渠道名称',
  Provider: '供应商',
  'Its key ({0})': '其密钥（{0}）',
  'Required.': '此项必填。',
  'Create a first API key now?': '现在创建第一个 API 密钥吗？',
  'Key name': '密钥名称',
  'The password must have {0} to {1} characters.': '密码须为 {0} 到 {1} 个字符。',
  'The name must have 1 to {0} characters.': '名称须为 1 到 {0} 个字符。',
  'This provider has no default address: enter one.': '该供应商没有固定地址：请给出一个。',
  'The address must start with http:// or https://.': '地址须以 http:// 或 https:// 开头。',
  'Enter at least one model.': '请至少给出一个模型。',
  'Tollgate is set up.': 'Tollgate 已设置完成。',
  Channel: '渠道',
  'Run it:': '运行：',
  'Then, from another terminal:': '然后在另一个终端中：',
  'No channels yet. Add one: tollgate channel add --help': '尚无渠道。添加方法见：tollgate channel add --help',
}

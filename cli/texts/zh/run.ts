import type { Catalogue } from '../../texts.ts'

/** serve, init and demo. */
export const runTexts: Catalogue = {
  'Run the gateway: API and web console': '运行网关：API 与网页控制台',
  'port to listen on (default: 3000)': '监听端口（默认：3000）',
  'address to listen on (default: 0.0.0.0, which is all)': '监听地址（默认：0.0.0.0，即全部）',
  'processes on this machine; auto = one for each core (default: 1)': '本机的进程数；auto 为每核一个（默认：1）',
  'Tollgate is running.': 'Tollgate 正在运行。',
  Console: '控制台',
  'Listens on': '监听',
  '{0}, all addresses of this machine (only from here: --host 127.0.0.1)':
    '{0}，本机的所有地址（仅限本机访问：--host 127.0.0.1）',
  API: 'API',
  'Sign in': '登录',
  '{0} with the password {1} (shown only now)': '{0}，密码 {1}（仅显示这一次）',
  'Stop it with Ctrl-C.': '按 Ctrl-C 停止。',

  'Try it: a throw-away gateway with a simulated provider': '试用：带模拟供应商的一次性网关',
  'port to listen on (default: 3000, or any free one)': '监听端口（默认：3000，或任一空闲端口）',
  'address to listen on': '监听地址',
  'Its answers are simulated and cost nothing; no request leaves this machine. It ends with Ctrl-C, and nothing of it remains.':
    '回答均为模拟，不产生费用，任何请求都不会离开本机。按 Ctrl-C 结束，不留任何痕迹。',
  'A demonstration of Tollgate is running. Its answers are simulated.': 'Tollgate 演示正在运行，回答均为模拟。',
  '{0} with the password {1}': '{0}，密码 {1}',
  '(or as a customer: {0} with the same password)': '（或以客户身份：{0}，密码相同）',
  'API key': 'API 密钥',
  'Try it:': '试一试：',
  'Look at it from another terminal:': '在另一个终端中查看：',
  'Stop it with Ctrl-C; nothing of it remains.': '按 Ctrl-C 停止，不留任何痕迹。',

  'Set up: password, first channel, first API key': '初始设置：密码、第一个渠道、第一个 API 密钥',
  'password of the user root, 8 to 128 characters; else ROOT_PASSWORD':
    '用户 root 的密码，8 到 128 个字符；否则用 ROOT_PASSWORD',
  'provider of the first channel, by word or number, such as openai': '第一个渠道的供应商，名称或编号，如 openai',
  'its credential': '其凭据',
  'read the credential from stdin, which keeps it out of the process list':
    '从标准输入读取凭据，使其不出现在进程列表中',
  'give either --channel-key or --channel-key-stdin, not both': '--channel-key 与 --channel-key-stdin 只能给出一个',
  '{0} with your password': '{0}，用您的密码',
  "its name (default: the provider's)": '其名称（默认：供应商名称）',
  "its address without /v1 (default: the provider's own)": '其地址，不含 /v1（默认：供应商自己的地址）',
  "models to serve, separated by commas (default: the provider's usual ones)":
    '提供的模型，以逗号分隔（默认：供应商的常用模型）',
  'add no channel': '不添加渠道',
  'name of the first API key': '第一个 API 密钥的名称',
  'create no API key': '不创建 API 密钥',
  'No account at a provider? tollgate demo --port 3900 plays one, by its API key:':
    '没有供应商账户？tollgate demo --port 3900 可以扮演一个，使用它的 API 密钥：',
  'With --port 3900 and its API key it is the provider of a gateway of your own:':
    '使用 --port 3900 和它的 API 密钥，它可以充当您自己网关的供应商：',
  'On a terminal it asks for what is not given. Nothing is written before the last answer.':
    '在终端上会询问未给出的内容。回答完最后一个问题之前不写入任何内容。',
  'there is no terminal to ask on. Give {0}': '没有可供询问的终端。请给出 {0}',
  'Password for the user root (leave empty to have one generated)': '用户 root 的密码（留空则自动生成）',
  'The same password again': '再次输入密码',
  'That is another one.': '两次输入不一致。',
  'Add a first channel, an account at a provider, now?': '现在添加第一个渠道（供应商账号）吗？',
  'Its address, without /v1': '其地址，不含 /v1',
  'Models to serve, separated by commas (leave empty for the {0} usual ones)':
    '提供的模型，以逗号分隔（留空则用 {0} 个常用模型）',
  'Models to serve, separated by commas': '提供的模型，以逗号分隔',
  'What to call the channel': '渠道名称',
  Provider: '供应商',
  'Its credential ({0})': '其凭据（{0}）',
  'It is needed.': '此项必填。',
  'Create a first API key now?': '现在创建第一个 API 密钥吗？',
  'What to call the key': '密钥名称',
  'A password has {0} to {1} characters.': '密码须为 {0} 到 {1} 个字符。',
  'A name has 1 to {0} characters.': '名称须为 1 到 {0} 个字符。',
  'This provider has no address of its own: give one.': '该供应商没有固定地址：请给出一个。',
  'An address starts with http:// or https://.': '地址须以 http:// 或 https:// 开头。',
  'Name at least one model.': '请至少给出一个模型。',
  'Tollgate is set up.': 'Tollgate 已设置完成。',
  Channel: '渠道',
  'Run it:': '运行：',
  'Then, from another terminal:': '然后在另一个终端中：',
  'There is no channel yet. Add one with: tollgate channel add --help':
    '尚无渠道。添加方法见：tollgate channel add --help',
}

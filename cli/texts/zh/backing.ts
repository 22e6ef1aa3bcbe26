import type { Catalogue } from '../../texts.ts'

/** Which gateway is meant, what a server answers, and files. */
export const backing: Catalogue = {
  'give only one of {0}': '以下选项只能给出一个：{0}',
  'not signed in to {0}: run tollgate login {1}, or set TOLLGATE_TOKEN':
    '尚未登录 {0}：请运行 tollgate login {1}，或设置 TOLLGATE_TOKEN',
  'there is no profile named {0}: see tollgate profile list, or sign in with tollgate login <url>':
    '没有名为 {0} 的配置：请看 tollgate profile list，或用 tollgate login <url> 登录',
  '{0} is no address of a server: give one such as https://gateway.example':
    '{0} 不是服务器地址：请给出形如 https://gateway.example 的地址',
  'this works on the database itself, not through {0}: run it on that machine, or give --profile local':
    '此命令直接操作数据库，不能通过 {0} 执行：请在那台机器上运行，或给出 --profile local',
  Reading: '正在读取',
  '--columns: there is no column named {0}; there are {1}': '--columns：没有名为 {0} 的列；可用的列：{1}',
  '--sort: there is no column named {0}; there are {1}': '--sort：没有名为 {0} 的列；可用的列：{1}',
  '{0} exists already: give another --output': '{0} 已存在：请给出另一个 --output',
  'cannot write the --output file: {0}': '无法写入 --output 文件：{0}',
  'cannot read the profiles in {0}: {1}': '无法读取 {0} 中的配置：{1}',
  'cannot write the profiles to {0}: {1}': '无法将配置写入 {0}：{1}',

  '{0} redirects to {1}: give that address to tollgate login': '{0} 重定向到 {1}：请把该地址交给 tollgate login',
  '{0} runs Tollgate {1}, which does not know {2}; this is {3}: upgrade the server, or use its version of this program':
    '{0} 运行的是 Tollgate {1}，不支持 {2}；本程序为 {3}：请升级服务器，或使用与其相同版本的程序',
  '{0} answers {1}, not the Tollgate API (HTTP {2}): check the address':
    '{0} 返回的是{1}，而不是 Tollgate API（HTTP {2}）：请检查地址',
  'a web page': '网页',
  'an empty page': '空白页面',
  'something else': '别的内容',
  '{0} {1}: is the gateway running, and is the address right?': '{0} {1}：网关是否在运行，地址是否正确？',
  'refuses connections': '拒绝连接',
  'has a name that nobody knows': '的域名不存在',
  'has a name that cannot be looked up now': '的域名暂时无法解析',
  'closed the connection': '关闭了连接',
  'does not answer in time': '未及时应答',
  'has a certificate that has expired': '的证书已过期',
  'has a certificate that nobody vouches for (NODE_EXTRA_CA_CERTS names more authorities)':
    '的证书未获信任（可用 NODE_EXTRA_CA_CERTS 添加证书颁发机构）',
  'cannot be reached ({0})': '无法访问（{0}）',
  '{0} has had too many calls from here: try again in a few minutes': '{0} 收到来自本机的请求过多：请几分钟后再试',
  'the server failed with HTTP {0}{1}; its log says why': '服务器出错（HTTP {0}）{1}；原因见其日志',
}

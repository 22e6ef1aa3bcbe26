import type { Catalogue } from '../../texts.ts'

/** Signing in to servers, the profiles of those, and what is wrong with one. */
export const server: Catalogue = {
  'Sign in to a server, and use it for later commands': '登录服务器，此后的命令都针对它',
  'Sign out of a server: remove its profile and access token': '忘记服务器及其访问令牌',
  'Profiles of servers that you are signed in to': '您已登录的服务器，以及正在使用哪个',
  'List profiles': '列出您已登录的服务器',
  'Show a profile, without its access token': '显示一个配置，不含访问令牌',
  'Use a profile for later commands': '此后的命令都针对该服务器',
  'Remove profiles and their access tokens, like logout': '忘记服务器及其访问令牌，与 logout 相同',
  'address of the server, such as https://gateway.example': '服务器地址，例如 https://gateway.example',
  'username or email address (default: prompt)': '登录用的名称或邮箱（默认：询问）',
  'existing access token, instead of a password': '您已有的访问令牌，代替密码',
  'read the access token from stdin, which keeps it out of the process list':
    '从标准输入读取访问令牌，使其不出现在进程列表中',
  'profile name (default: the host of the address)': '配置的名称（默认：地址中的主机名）',
  'Commands use {0}, from --server or TOLLGATE_SERVER; no profile is in use.':
    '命令由 --server 或 TOLLGATE_SERVER 指向 {0}，不使用任何配置。',
  'profile name (default: the one in use)': '配置的名称（默认：正在使用的）',
  'profile name; local is the database on this machine': '配置的名称；local 是本机的数据库',
  'profile names': '配置的名称，可给出多个',
  name: '名称',
  'in use': '使用中',
  yes: '是',
  no: '否',
  'the database on this machine': '本机的数据库',
  Username: '用户名',
  Password: '密码',
  'pass only one of {0}': '只能给出其中之一：{0}',
  "--name can have up to 64 letters, digits, dots and dashes, not '{0}'":
    "--name 最多 64 个字母、数字、点和短横线，而不是 '{0}'",
  '{0} is the database on this machine: pass another --name': '{0} 是本机的数据库：请给出其他 --name',
  '{0} is the database on this machine and cannot be removed': '{0} 是本机的数据库，无法移除',
  'the profile {0} is for {1}: pass another --name, or remove it with tollgate logout {2}':
    '配置 {0} 属于 {1}：请给出其他 --name，或用 tollgate logout {2} 移除它',
  'unknown profile {0}: see tollgate profile list, or sign in with tollgate login <url>':
    '没有名为 {0} 的配置：请查看 tollgate profile list，或用 tollgate login <url> 登录',
  'not signed in to any server: run tollgate login <url>': '您没有登录任何服务器',
  'not signed in to {0}: run tollgate login {1}, or set TOLLGATE_TOKEN':
    '尚未登录 {0}：请运行 tollgate login {1}，或设置 TOLLGATE_TOKEN',
  'not signed in to {0}: run tollgate login {1}; TOLLGATE_TOKEN is for {2}':
    '尚未登录 {0}：请运行 tollgate login {1}；TOLLGATE_TOKEN 属于 {2}',
  '--{0} is empty: pass a value': '--{0} 为空：请给出值',
  'TOLLGATE_TOKEN is set without a server: set TOLLGATE_SERVER or pass --server, or choose another gateway with --profile or --database':
    '设置了 TOLLGATE_TOKEN，却没有它所属的服务器：请设置 TOLLGATE_SERVER 或给出 --server；或用 --profile、--database 指定其他网关',
  'TOLLGATE_SERVER is empty: set it to the address of a server, or unset it':
    'TOLLGATE_SERVER 为空：请设为服务器地址，或取消设置',
  'cannot read the profiles in {0} ({1}): fix the file, or delete it and sign in again':
    '无法读取 {0} 中的配置（{1}）：请修复该文件，或删除后重新登录',
  'cannot write the profiles to {0}: {1}': '无法将配置写入 {0}：{1}',
  'another tollgate process ({0}) is changing the profiles: try again, or delete {1} if it does not run':
    '另一个 tollgate（进程 {0}）正在更改配置：请再试；若并没有，请删除 {1}',
  'the access token is empty': '访问令牌为空',
  'Signed in to {0} as {1}. Commands now use the profile {2}.':
    '已以 {1} 登录 {0}。此后的命令针对它：正在使用配置 {2}。',
  'Commands now use {0}.': '此后的命令针对 {0}。',
  '{0} is set and takes precedence in this shell.': '此处设置了 {0}，它优先生效。',
  'Removed profile {0}.': '已移除配置 {0}。',
  'Removed profile {0}. Its access token is still valid: revoke it with tollgate account access-token --new.':
    '已移除配置 {0}。其访问令牌在别处仍然有效：可用 tollgate account access-token --new 使其失效。',
  '{0} is not https: others on the network can read the password and all replies.':
    '{0} 不是 https：网络上的其他人能读取密码和全部应答。',
  '{0} runs version {1}, this is {2}: features that one of them lacks fail.':
    '{0} 运行的是版本 {1}，本程序是 {2}：一方不认识的功能会失败。',
  '{0} requires more than a password': '{0} 除密码外还有其他要求',
  '{0} requires a bot check at sign-in, which needs a browser': '{0} 登录时要求人机验证，这需要浏览器',
  '{0}: create an access token in the web console, and pass it with --token-stdin':
    '{0}：请在其网页控制台生成访问令牌，并用 --token-stdin 给出',
  '{0} responds, but not like a Tollgate gateway: check the address':
    '{0} 有应答，但不是 Tollgate 网关的应答：请检查地址',
  '{0} is not a server address: pass one such as https://gateway.example':
    '{0} 不是服务器地址：请给出例如 https://gateway.example',
  '{0} {1}: check that the gateway is running and the address is right': '{0} {1}：网关是否在运行，地址是否正确？',
  'cannot be reached ({0})': '无法访问（{0}）',
  'refuses connections': '拒绝连接',
  'has an unknown host name': '的主机名不存在',
  'has a host name that cannot be resolved now': '的主机名目前无法解析',
  'closed the connection': '关闭了连接',
  'does not respond in time': '没有及时应答',
  'has an expired certificate': '的证书已过期',
  'has a certificate that is not trusted (trust more authorities with NODE_EXTRA_CA_CERTS)':
    '的证书不受信任（可用 NODE_EXTRA_CA_CERTS 指定更多颁发机构）',
  '{0} redirects to {1}: pass that address to tollgate login': '{0} 重定向到 {1}：请将该地址交给 tollgate login',
  '{0} is not a usable proxy: set it to one such as http://proxy.example:8080, or unset it':
    '{0} 指定的代理无法使用：请设为例如 http://proxy.example:8080，或取消设置',
  'the proxy {0} from {1} {2}: correct {3}, or add the host of {4} to NO_PROXY':
    '{1} 指定的代理 {0} {2}：请修正 {3}，或在 NO_PROXY 中写上 {4} 的主机名',
  'the proxy {0} from {1} does not connect to {2} (HTTP {3}): check that the gateway is running, or add its host to NO_PROXY':
    '{1} 指定的代理 {0} 无法连接 {2}（HTTP {3}）：网关是否在运行，或是否应在 NO_PROXY 中写上其主机名？',
  '{0} {1} through the proxy {2} from {3}: check that the gateway is running and the address is right':
    '{0} {1}（经由 {3} 指定的代理 {2}）：网关是否在运行，地址是否正确？',
  '{0} requires https: pass {1} to tollgate login': '{0} 要求以 https 访问：请将 {1} 交给 tollgate login',
  '{0} redirects calls to {1}, which is not an API address: check the address':
    '{0} 将调用重定向到 {1}，那不是其 API 的地址：请检查地址',
  '{0} received too many calls from this machine: try again in {1} s': '{0} 收到来自此处的请求过多：请在 {1} 秒后再试',
  '{0} failed with HTTP {1}{2}: try again; if it persists, see the gateway log':
    '{0} 出错，HTTP {1}{2}：请再试；若仍然如此，网关日志会说明原因',
  '{0} returns {1}, not the Tollgate API (HTTP {2}): check the address':
    '{0} 应答的是{1}，而不是 Tollgate API（HTTP {2}）：请检查地址',
  'a web page': '网页',
  nothing: '空内容',
  'something else': '其他内容',
  '{0} returns more than {1} bytes, more than the Tollgate API ever does: check the address':
    '{0} 的应答超过 {1} 字节，Tollgate API 从不如此：请检查地址',
  '{0} runs version {1}, this is {2}: upgrade the server, or use the same version of this program':
    '{0} 运行的是版本 {1}，本程序是 {2}：请升级服务器，或使用与其相同版本的程序',
  '{0} runs version {1}, which does not support {2}; this is {3}: use the same version on both sides, and check the proxy in front of the server':
    '{0} 运行的是版本 {1}，不认识 {2}；本程序是 {3}：请使两边版本相同，并检查服务器之前的代理',
  '{0} returns an unexpected reply to {1}: check the address': '{0} 对 {1} 的应答不是 Tollgate API 的应答：请检查地址',
  '{0} runs version {1}, whose reply to {2} differs from {3}, this version: use the same version of this program':
    '{0} 运行的是版本 {1}，对 {2} 的应答与本程序 {3} 所知的不同：请使用与其相同版本的程序',
  '{0} rejects the access token: sign in again with tollgate login {1}':
    '{0} 不接受该访问令牌：请用 tollgate login {1} 重新登录',
  'the access token for {0} has invalid characters: sign in again with tollgate login {1}':
    '用于 {0} 的访问令牌含有不可能出现的字符：请用 tollgate login {1} 重新登录',
  'maximum time to wait for a gateway, in seconds, or such as 5m': '命令等待网关的最长时间，以秒计，或如 5m',
  'Keys for the management API, with limited scopes': '管理 API 的密钥，可限制其权限',
  'Create a management key; prints only the key, which is shown only once':
    '创建管理 API 的密钥；标准输出只有密钥，且仅此一次显示',
  'A scope is noun:verb; * means all except configuration, which must be named. With a key, commands on a server work within its scopes: TOLLGATE_TOKEN=tgm_… Nouns: codes, channels, tokens, users, logs, tasks, batches, files, options, groups, limits, notices, pricing, ledger, audit, jobs, status, configuration Verbs: read, create, update, delete, test':
    '权限范围格式为 noun:verb；* 表示全部，但 configuration 必须写明。使用密钥时，对服务器的命令仅限其权限范围：TOLLGATE_TOKEN=tgm_… 名词：codes、channels、tokens、users、logs、tasks、batches、files、options、groups、limits、notices、pricing、ledger、audit、jobs、status、configuration 动词：read、create、update、delete、test',
  'key ID': '密钥的编号',
  'Expected seconds, or a duration such as 90s or 5m.': '请给出秒数，或 90s、5m 之类的时长。',
  'name, up to 64 characters': '名称，最多 64 个字符',
  'scopes, separated by commas; can be repeated': '允许的操作，以逗号分隔；可重复给出',
  'maximum quota to give away in codes and balances (default: unlimited)': '总共可发放的额度（兑换码与余额；默认不限）',
  'never (default), a duration such as 30d, or a date such as 2026-12-31':
    'never（默认）、30d 之类的时长，或 2026-12-31 之类的日期',
  'Created management key {0}, {1}. It is shown only once:': '管理 API 密钥 {0}（{1}），仅此一次显示：',
  'List your management keys, newest first, including revoked ones': '列出您的管理 API 密钥，最新的在前，包括已吊销的',
  'keys of all users; root only': 'root 专用：所有用户的密钥',
  'No keys. Create one: tollgate api-key create <name> --scope codes:create':
    '没有密钥。创建：tollgate api-key create <name> --scope codes:create',
  'Revoke a management key permanently': '立即并永久吊销管理 API 的密钥',
  'Revoke management key {0}?': '吊销 API 密钥 {0}？',
  'Revoked management key {0}, {1}.': 'API 密钥 {0}（{1}）已吊销。',
  scopes: '权限范围',
  'given away': '已发放',
  'of at most': '上限',
  active: '有效',
  revoked: '已吊销',
}

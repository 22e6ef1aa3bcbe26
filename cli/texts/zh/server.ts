import type { Catalogue } from '../../texts.ts'

/** Signing in to servers, the profiles of those, and what is wrong with one. */
export const server: Catalogue = {
  'Sign in to a server, which commands are for from then on': '登录服务器，此后的命令都针对它',
  'Forget a server and its access token': '忘记服务器及其访问令牌',
  'Servers that you are signed in to, and which is in use': '您已登录的服务器，以及正在使用哪个',
  'List the servers that you are signed in to': '列出您已登录的服务器',
  'Show one profile, without its access token': '显示一个配置，不含访问令牌',
  'Make commands be for this server from now on': '此后的命令都针对该服务器',
  'Forget servers and their access tokens, as logout does': '忘记服务器及其访问令牌，与 logout 相同',
  'address of the server, such as https://gateway.example': '服务器地址，例如 https://gateway.example',
  'name or mail address to sign in with (default: asked for)': '登录用的名称或邮箱（默认：询问）',
  'an access token that you have, instead of a password': '您已有的访问令牌，代替密码',
  'read the access token from stdin, which keeps it out of the process list':
    '从标准输入读取访问令牌，使其不出现在进程列表中',
  'what to call the profile (default: the host of the address)': '配置的名称（默认：地址中的主机名）',
  'Commands are for {0}, by --server or TOLLGATE_SERVER, and for no profile.':
    '命令由 --server 或 TOLLGATE_SERVER 指向 {0}，不使用任何配置。',
  'name of the profile (default: the one in use)': '配置的名称（默认：正在使用的）',
  'name of a profile; local is the database on this machine': '配置的名称；local 是本机的数据库',
  'names of profiles': '配置的名称，可给出多个',
  name: '名称',
  'in use': '使用中',
  yes: '是',
  no: '否',
  'the database on this machine': '本机的数据库',
  Username: '用户名',
  Password: '密码',
  'give only one of {0}': '只能给出其中之一：{0}',
  "--name takes up to 64 letters, digits, dots and dashes, not '{0}'":
    "--name 最多 64 个字母、数字、点和短横线，而不是 '{0}'",
  '{0} is the database on this machine: give another --name': '{0} 是本机的数据库：请给出其他 --name',
  '{0} is the database on this machine, and stays': '{0} 是本机的数据库，无法移除',
  'the profile {0} is for {1}: give another --name, or remove it with tollgate logout {2}':
    '配置 {0} 属于 {1}：请给出其他 --name，或用 tollgate logout {2} 移除它',
  'there is no profile named {0}: see tollgate profile list, or sign in with tollgate login <url>':
    '没有名为 {0} 的配置：请查看 tollgate profile list，或用 tollgate login <url> 登录',
  'you are signed in to no server': '您没有登录任何服务器',
  'not signed in to {0}: run tollgate login {1}, or set TOLLGATE_TOKEN':
    '尚未登录 {0}：请运行 tollgate login {1}，或设置 TOLLGATE_TOKEN',
  'not signed in to {0}: run tollgate login {1}; TOLLGATE_TOKEN is for {2}':
    '尚未登录 {0}：请运行 tollgate login {1}；TOLLGATE_TOKEN 属于 {2}',
  '--{0} is empty: give it a value': '--{0} 为空：请给出值',
  'TOLLGATE_TOKEN is set, and no server that it is for: set TOLLGATE_SERVER or give --server; or name another gateway with --profile or --database':
    '设置了 TOLLGATE_TOKEN，却没有它所属的服务器：请设置 TOLLGATE_SERVER 或给出 --server；或用 --profile、--database 指定其他网关',
  'TOLLGATE_SERVER is empty: set it to the address of a server, or unset it':
    'TOLLGATE_SERVER 为空：请设为服务器地址，或取消设置',
  'cannot read the profiles in {0} ({1}): fix the file, or delete it and sign in again':
    '无法读取 {0} 中的配置（{1}）：请修复该文件，或删除后重新登录',
  'cannot write the profiles to {0}: {1}': '无法将配置写入 {0}：{1}',
  'another tollgate is changing the profiles (process {0}): try again, or delete {1} if there is none':
    '另一个 tollgate（进程 {0}）正在更改配置：请再试；若并没有，请删除 {1}',
  'the access token is empty': '访问令牌为空',
  'Signed in to {0} as {1}. Commands are for it now: the profile {2} is in use.':
    '已以 {1} 登录 {0}。此后的命令针对它：正在使用配置 {2}。',
  'Commands are for {0} now.': '此后的命令针对 {0}。',
  'Here {0} is set, which comes first.': '此处设置了 {0}，它优先生效。',
  'Forgot {0}.': '已忘记 {0}。',
  'Forgot {0}. Its access token still works elsewhere: tollgate account access-token --new makes it void.':
    '已忘记 {0}。其访问令牌在别处仍然有效：可用 tollgate account access-token --new 使其失效。',
  '{0} is not https: others on the network can read the password and all replies.':
    '{0} 不是 https：途中的任何人都能读取密码和全部应答。',
  '{0} runs version {1}, this is {2}: what one does not know fails.':
    '{0} 运行的是版本 {1}，本程序是 {2}：一方不认识的功能会失败。',
  '{0} asks for more than a password': '{0} 除密码外还有其他要求',
  '{0} requires a bot check at sign-in, which needs a browser': '{0} 要求登录者证明自己是真人，这需要浏览器',
  '{0}: make an access token in its web console, and give it with --token-stdin':
    '{0}：请在其网页控制台生成访问令牌，并用 --token-stdin 给出',
  '{0} answers, but not as a Tollgate gateway does: check the address':
    '{0} 有应答，但不是 Tollgate 网关的应答：请检查地址',
  '{0} is no address of a server: give one such as https://gateway.example':
    '{0} 不是服务器地址：请给出例如 https://gateway.example',
  '{0} {1}: is the gateway running, and is the address right?': '{0} {1}：网关是否在运行，地址是否正确？',
  'cannot be reached ({0})': '无法访问（{0}）',
  'refuses connections': '拒绝连接',
  'has an unknown host name': '的主机名无人知晓',
  'has a name that cannot be looked up now': '的主机名目前无法解析',
  'closed the connection': '关闭了连接',
  'does not answer in time': '没有及时应答',
  'has a certificate that has expired': '的证书已过期',
  'has a certificate that is not trusted (NODE_EXTRA_CA_CERTS names more authorities)':
    '的证书无人担保（可用 NODE_EXTRA_CA_CERTS 指定更多颁发机构）',
  '{0} redirects to {1}: give that address to tollgate login': '{0} 重定向到 {1}：请将该地址交给 tollgate login',
  '{0} names no proxy that can be used: give it one such as http://proxy.example:8080, or unset it':
    '{0} 指定的代理无法使用：请设为例如 http://proxy.example:8080，或取消设置',
  'the proxy {0}, which {1} names, {2}: fix {3}, or name the host of {4} in NO_PROXY':
    '{1} 指定的代理 {0} {2}：请修正 {3}，或在 NO_PROXY 中写上 {4} 的主机名',
  'the proxy {0}, which {1} names, does not connect to {2} (HTTP {3}): is the gateway running, or should NO_PROXY name its host?':
    '{1} 指定的代理 {0} 无法连接 {2}（HTTP {3}）：网关是否在运行，或是否应在 NO_PROXY 中写上其主机名？',
  '{0} {1}, asked through the proxy {2}, which {3} names: is the gateway running, and is the address right?':
    '{0} {1}（经由 {3} 指定的代理 {2}）：网关是否在运行，地址是否正确？',
  '{0} wants to be called over https: give {1} to tollgate login':
    '{0} 要求以 https 访问：请将 {1} 交给 tollgate login',
  '{0} redirects calls to {1}, which is no address of its API: check the address':
    '{0} 将调用重定向到 {1}，那不是其 API 的地址：请检查地址',
  '{0} has had too many calls from here: try again in a few minutes': '{0} 收到来自此处的请求过多：请几分钟后再试',
  '{0} failed with HTTP {1}{2}: try again; if it stays, the log of the gateway says why':
    '{0} 出错，HTTP {1}{2}：请再试；若仍然如此，网关日志会说明原因',
  '{0} answers {1}, not the Tollgate API (HTTP {2}): check the address':
    '{0} 应答的是{1}，而不是 Tollgate API（HTTP {2}）：请检查地址',
  'a web page': '网页',
  nothing: '空内容',
  'something else': '其他内容',
  '{0} answers more than {1} bytes, which the Tollgate API never does: check the address':
    '{0} 的应答超过 {1} 字节，Tollgate API 从不如此：请检查地址',
  '{0} runs version {1}, this is {2}: upgrade the server, or use its version of this program':
    '{0} 运行的是版本 {1}，本程序是 {2}：请升级服务器，或使用与其相同版本的程序',
  '{0} runs version {1}, which does not know {2}; this is {3}: use the same version on both sides, and see what is before the server':
    '{0} 运行的是版本 {1}，不认识 {2}；本程序是 {3}：请使两边版本相同，并检查服务器之前的代理',
  '{0} answers {1} with something else than the Tollgate API does: check the address':
    '{0} 对 {1} 的应答不是 Tollgate API 的应答：请检查地址',
  '{0} runs version {1}, which answers {2} otherwise than {3}, which this is: use its version of this program':
    '{0} 运行的是版本 {1}，对 {2} 的应答与本程序 {3} 所知的不同：请使用与其相同版本的程序',
  '{0} does not take the access token (any more): sign in again with tollgate login {1}':
    '{0} 不（再）接受该访问令牌：请用 tollgate login {1} 重新登录',
  'the access token for {0} has characters that none has: sign in again with tollgate login {1}':
    '用于 {0} 的访问令牌含有不可能出现的字符：请用 tollgate login {1} 重新登录',
  'longest time that a command waits for a gateway, in seconds, or such as 5m':
    '命令等待网关的最长时间，以秒计，或如 5m',
  'Keys for the management API, limited in what they may do': '管理 API 的密钥，可限制其权限',
  'Make a key for the management API; stdout gets only the key, which is shown only now':
    '创建管理 API 的密钥；标准输出只有密钥，且仅此一次显示',
  'A scope is noun:verb; * means all, but configuration only by its name. With a key, commands on a server work within its scopes: TOLLGATE_TOKEN=tgm_… Nouns: codes, channels, tokens, users, logs, tasks, batches, files, options, groups, limits, notices, pricing, ledger, audit, jobs, status, configuration Verbs: read, create, update, delete, test':
    '权限范围格式为 noun:verb；* 表示全部，但 configuration 必须写明。使用密钥时，对服务器的命令仅限其权限范围：TOLLGATE_TOKEN=tgm_… 名词：codes、channels、tokens、users、logs、tasks、batches、files、options、groups、limits、notices、pricing、ledger、audit、jobs、status、configuration 动词：read、create、update、delete、test',
  'number of the key': '密钥的编号',
  'Give seconds, or a duration such as 90s or 5m.': '请给出秒数，或 90s、5m 之类的时长。',
  'what you recognize it by, up to 64 characters': '便于识别的名称，最多 64 个字符',
  'what it may do, separated by commas; may be repeated': '允许的操作，以逗号分隔；可重复给出',
  'quota that it may give away in all, in codes and balances (default: any)':
    '总共可发放的额度（兑换码与余额；默认不限）',
  'never (default), a duration such as 30d, or a date such as 2026-12-31':
    'never（默认）、30d 之类的时长，或 2026-12-31 之类的日期',
  'API key {0}, {1}, is for the management API. It is shown only now:': '管理 API 密钥 {0}（{1}），仅此一次显示：',
  'List your keys for the management API, newest first, revoked ones included':
    '列出您的管理 API 密钥，最新的在前，包括已吊销的',
  'for root: the keys of all users': 'root 专用：所有用户的密钥',
  'No keys. Make one: tollgate api-key create <name> --scope codes:create':
    '没有密钥。创建：tollgate api-key create <name> --scope codes:create',
  'Make a key for the management API void, at once and for good': '立即并永久吊销管理 API 的密钥',
  'Revoke API key {0}?': '吊销 API 密钥 {0}？',
  'API key {0}, {1}, is revoked.': 'API 密钥 {0}（{1}）已吊销。',
  scopes: '权限范围',
  'given away': '已发放',
  'of at most': '上限',
  active: '有效',
  revoked: '已吊销',
}

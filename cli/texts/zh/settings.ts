import type { Catalogue } from '../../texts.ts'

/** Descriptions of the settings in `core/config.ts`. */
export const settings: Catalogue = {
  'port to listen on': '监听端口',
  'address to listen on': '监听地址',
  'sqlite:PATH or postgres://…': 'sqlite:路径 或 postgres://…',
  'master key; else a file beside the database': '主密钥；否则用数据库旁的文件',
  'processes on this machine; auto = cores': '本机进程数；auto = 核心数',
  'fatal, error, warn, info, debug, trace or silent': 'fatal、error、warn、info、debug、trace 或 silent',
  'maximum seconds between upstream bytes': '上游无数据的秒数上限',
  'maximum seconds until the first upstream token, or off': '等待上游首个词元的秒数，或 off',
  'seconds without an event after which a websocket ends': 'WebSocket 无事件多少秒后结束',
  'seconds that streams can continue after SIGTERM': '收到 SIGTERM 后流可继续的秒数',
  'largest request body in megabytes': '请求体上限（MB）',
  'maximum objects and lists in the JSON of a request; 5 times as many keys and strings':
    '请求 JSON 中对象与数组的上限；键与文本可为其 5 倍',
  'maximum size of all request bodies that a process receives at a time, in megabytes':
    '一个进程同时接收的请求体总量上限（MB）',
  'the same, from one address, in megabytes': '其中来自同一地址的上限（MB）',
  'the same, of one user, in megabytes': '其中来自同一用户的上限（MB）',
  'largest form with files in megabytes; stored on disk': '含文件表单的上限（MB）；暂存于磁盘',
  'off, on, or addresses and ranges of proxies': 'off、on，或代理的地址与网段',
  'password of the user root at the first start': '首次启动时 root 用户的密码',
  'limit calls of the management API': '限制管理 API 的调用',
  'calls per address': '每个地址的调用次数',
  'length of the window in seconds': '统计的秒数',
  'limit pages and unknown paths': '限制网页与未知路径',
  'pages per address': '每个地址的网页次数',
  'limit sign-in, registration and emails': '限制登录、注册与邮件',
  'such calls per address': '每个地址的此类调用次数',
  'GitHub sign-in address': 'GitHub 登录地址',
  "GitHub's API": 'GitHub 的 API',
  'LinuxDO sign-in address': 'LinuxDO 登录地址',
  'address that verifies bot checks': '人机验证的校验地址',
  'minutes between tests of all channels, or off': '两次测试全部渠道的间隔分钟数，或 off',
  'minutes between balance queries of all channels, or off': '两次查询全部渠道余额的间隔分钟数，或 off',
  'seconds between channels in such a round': '一轮中渠道之间的间隔秒数',
  'let this process poll drawing and music tasks': '允许本进程轮询绘图与音乐任务',
  'give new users a first API key': '为新用户创建首个 API 密钥',
  'largest image or file that a request references by URL, in megabytes': '请求以地址引用的图片或文件上限（MB）',
  'non-public hosts and ranges from which images and files can be downloaded':
    '虽非公网但允许下载图片与文件的主机与网段',
  "threshold of Gemini's safety categories, such as BLOCK_ONLY_HIGH; empty = block nothing":
    'Gemini 安全类别的阈值，如 BLOCK_ONLY_HIGH；空 = 不拦截',
  'maximum images per Gemini request; 0 or -1 = no limit': '单次 Gemini 请求的图片数上限；0 或 -1 = 不限',
  "API versions of Gemini's models, as model:version, separated by commas":
    'Gemini 模型的 API 版本，写作 模型:版本，以逗号分隔',
  'OpenTelemetry collector for traces and metrics by OTLP over HTTP, such as http://localhost:4318':
    'OpenTelemetry 收集器地址，以 OTLP/HTTP 接收链路与指标，例如 http://localhost:4318',
  'headers for the collector, as name=value, separated by commas': '发往收集器的请求头，格式为 名称=值，以逗号分隔',
  'service name in traces and metrics': '链路与指标中的服务名称',
}

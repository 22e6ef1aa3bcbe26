export const failure = {
  signedOut: '未登录或登录已过期，请重新登录！',
  tooMany: '错误：请求次数过多，请稍后再试！',
  server: '错误：服务器内部错误，请联系管理员！',
  noServer: '本站仅作演示之用，无服务端！',
  status: '错误：{{message}}',
  unreadable: '错误：无法识别服务器的回答',
  slow: '错误：服务器没有及时回答，请稍后再试',
  unreachable: '错误：无法连接服务器，请检查网络后重试',
  statusUnreachable: '无法正常连接至服务器！',
  statusFailed: '获取平台状态失败！',
  unknown: '错误：操作失败，请重试',
}

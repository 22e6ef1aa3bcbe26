export const chat = {
  noToken: '当前没有可用的启用令牌，请确认是否有令牌处于启用状态！',
  signIn: '请先登录',
  signInHint: '聊天使用您的令牌，登录后即可打开。',
  openApp: '打开 {{name}}',
  app: '{{name}} 是一个应用程序',
  appHint: '它不能显示在此页面中，请在您的设备上打开。',
  newTab: '在新标签页打开',
  keyQuestion: '要把您的 API 密钥发送给 {{site}} 吗？',
  keyHint: '{{name}} 会得到您的一个 API 密钥。{{site}} 的运营者可以使用它，并消耗您的余额。',
  openAt: '在 {{site}} 打开 {{name}}',
  askAdmin: '聊天链接由管理员在运营设置中配置。',
}

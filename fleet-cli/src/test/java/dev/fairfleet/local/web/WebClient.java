package dev.fairfleet.local.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.ParseException;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/**
 * A client to whom every host is on loopback, and who neither follows redirects, retries nor
 * unpacks.
 */
public final class WebClient implements AutoCloseable {
  private final CloseableHttpClient client =
      HttpClients.custom()
          .setConnectionManager(
              PoolingHttpClientConnectionManagerBuilder.create()
                  .setDnsResolver(
                      new SystemDefaultDnsResolver() {
                        @Override
                        public InetAddress[] resolve(String host) {
                          return new InetAddress[] {InetAddress.getLoopbackAddress()};
                        }
                      })
                  .setMaxConnPerRoute(8)
                  .build())
          .disableRedirectHandling()
          .disableAutomaticRetries()
          .disableContentCompression()
          .build();

  /** What came back: the body is all of it, decoded as UTF-8, and empty when there was none. */
  public record Response(int status, List<Header> fields, String body) {
    public String field(String name) {
      for (Header field : fields) {
        if (field.getName().equalsIgnoreCase(name)) {
          return field.getValue();
        }
      }
      return "";
    }
  }

  public Response get(URI url, String... fields) throws IOException {
    return send("GET", url, fields);
  }

  public Response send(String method, URI url, String... fields) throws IOException {
    return client.execute(request(method, url, fields), WebClient::read);
  }

  /** Opens a response whose body is read by the caller, who also closes it. */
  public ClassicHttpResponse open(URI url) throws IOException {
    return client.executeOpen(null, request("GET", url), null);
  }

  private static HttpUriRequestBase request(String method, URI url, String... fields) {
    HttpUriRequestBase request = new HttpUriRequestBase(method, url);
    for (int i = 0; i < fields.length; i += 2) {
      request.addHeader(fields[i], fields[i + 1]);
    }
    return request;
  }

  private static Response read(ClassicHttpResponse response) throws IOException {
    String body = "";
    try {
      if (response.getEntity() != null) {
        body = EntityUtils.toString(response.getEntity());
      }
    } catch (ParseException e) {
      throw new IOException(e);
    }
    return new Response(response.getCode(), List.of(response.getHeaders()), body);
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}

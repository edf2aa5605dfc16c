package dev.fairfleet.local.web;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/**
 * A walk over a site by its links, breadth first from the root.
 *
 * @param depths the links followed to each path
 * @param outside the links that lead to another host
 */
record Walk(Map<String, Integer> depths, Set<String> outside) {
  static Walk over(FakeSite site) {
    String origin = "http://" + site.host() + ":" + PageOf.PORT;
    Map<String, Integer> depths = new HashMap<>(Map.of("/", 0));
    Set<String> outside = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(Set.of("/"));
    while (!open.isEmpty()) {
      String path = open.remove();
      int depth = depths.getOrDefault(path, 0);
      Document page = Jsoup.parse(PageOf.page(site, path).html(), origin + path);
      for (Element link : page.select("a[href]")) {
        String url = link.absUrl("href").replaceFirst("#.*", "");
        if (!url.startsWith(origin + "/")) {
          outside.add(url);
        } else if (depths.putIfAbsent(url.substring(origin.length()), depth + 1) == null) {
          open.add(url.substring(origin.length()));
        }
      }
    }
    return new Walk(depths, outside);
  }
}

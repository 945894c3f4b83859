// Hit-testing as Qt has it: QGraphicsScene with its BSP index, and QWidget::childAt.
#include "scene.h"
#include <QApplication>
#include <QGraphicsRectItem>
#include <QGraphicsScene>
#include <QWidget>
#include <vector>

static void measureScene(struct scene &scene, const char *answers) {
    QGraphicsScene graphics(0, 0, scene.width, scene.height);
    std::vector<QGraphicsRectItem *> items;
    for (int i = 0; i < scene.view_count; i++) {
        const scene_view &view = scene.views[i];
        auto *item = new QGraphicsRectItem(0, 0, view.width, view.height);
        item->setPen(Qt::NoPen);
        item->setData(0, i);
        item->setPos(view.x, view.y);
        if (view.degrees != 0) {
            item->setTransformOriginPoint(view.width / 2, view.height / 2);
            item->setRotation(view.degrees);
        }
        if (view.parent >= 0) item->setParentItem(items[view.parent]);
        else graphics.addItem(item);
        items.push_back(item);
    }
    std::vector<QGraphicsItem *> found(scene.point_count);
    auto look = [&](int i) {
        found[i] = graphics.itemAt(QPointF(scene.points[i][0], scene.points[i][1]), QTransform());
        return 0;
    };
    // The index is made in the event loop, or when it is first asked; none of that is counted.
    QCoreApplication::processEvents();
    look(0);
    QCoreApplication::processEvents();
    double result;
    SCENE_MEASURE(&scene, result, look(i));
    for (int i = 0; i < scene.point_count; i++) scene.answers[i] = found[i] ? found[i]->data(0).toInt() : -1;
    report("QGraphicsScene", result);
    scene_write_answers(&scene, answers);

    // One view moves by a point, and the point is looked for.
    const int moves = 2000;
    double before = now();
    for (int i = 0; i < moves; i++) {
        QGraphicsRectItem *item = items[(size_t)i * 7919 % items.size()];
        item->setPos(item->pos() + QPointF(i % 2 ? 1 : -1, 0));
        look(i % scene.point_count);
        if (now() - before > 2e9) {
            report("QGraphicsScene-move", (now() - before) / (i + 1));
            return;
        }
    }
    report("QGraphicsScene-move", (now() - before) / moves);
}

static void measureWidgets(struct scene &scene, const char *answers) {
    QWidget window;
    window.resize(scene.width, scene.height);
    std::vector<QWidget *> widgets;
    for (int i = 0; i < scene.view_count; i++) {
        const scene_view &view = scene.views[i];
        if (view.degrees != 0) return; // widgets are upright
        auto *widget = new QWidget(view.parent >= 0 ? widgets[view.parent] : &window);
        widget->setGeometry((int)view.x, (int)view.y, (int)view.width, (int)view.height);
        widget->setVisible(true);
        widget->setProperty("number", i);
        widgets.push_back(widget);
    }
    std::vector<QWidget *> found(scene.point_count);
    double result;
    SCENE_MEASURE(&scene, result, (found[i] = window.childAt(scene.points[i][0], scene.points[i][1]), 0));
    for (int i = 0; i < scene.point_count; i++) scene.answers[i] = found[i] ? found[i]->property("number").toInt() : -1;
    report("QWidget::childAt", result);
    scene_write_answers(&scene, answers);
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    QApplication application(argc, argv);
    struct scene scene = scene_read(argv[1]);
    measureScene(scene, argv[2]);
    measureWidgets(scene, argv[3]);
    // Taking a hundred thousand of them down again takes longer than all the rest.
    fflush(stdout);
    _Exit(0);
}
